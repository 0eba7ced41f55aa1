// Layers from top to bottom: ranks along the edges, long edges through empty places of the ranks between, an order with
// few crossings, then columns as near to their neighbours as those beside them allow.
//
//   items: [{w, h}] so that edges lead from an earlier one to a later one; edges: [{from, to}]
//   returns {w, h, places: [{x, y}], paths: [[{x, y}, ...]]} with places as upper left corners

const GAP_X = 18, GAP_LINE = 7, GAP_Y = 30, RANK_WIDTH = 1500, MOST_DUMMIES = 4000;

function layered(items, edges) {
  const n = items.length;
  const forward = edges.map((e) => (e.from < e.to ? e : { from: e.to, to: e.from }));
  const rank = ranksOf(items, forward);
  // Nodes of the layout: the items, then the empty places.
  const nodes = items.map((item, i) => ({ w: item.w, rank: rank[i], up: [], down: [] }));
  const chains = forward.map((e) => {
    const chain = [e.from];
    const span = rank[e.to] - rank[e.from];
    if (nodes.length - n + span <= MOST_DUMMIES)
      for (let r = rank[e.from] + 1; r < rank[e.to]; ++r) {
        chain.push(nodes.length);
        nodes.push({ w: 2, rank: r, up: [], down: [], line: true });
      }
    chain.push(e.to);
    for (let i = 0; i + 1 < chain.length; ++i) {
      if (nodes[chain[i + 1]].rank !== nodes[chain[i]].rank + 1) continue;
      nodes[chain[i]].down.push(chain[i + 1]);
      nodes[chain[i + 1]].up.push(chain[i]);
    }
    return chain;
  });
  const ranks = [];
  nodes.forEach((node, i) => { (ranks[node.rank] = ranks[node.rank] || []).push(i); });
  orderRanks(nodes, ranks);
  placeColumns(nodes, ranks);

  const top = [], height = [];
  let y = 0;
  ranks.forEach((row, r) => {
    height[r] = Math.max(...row.map((i) => (i < n ? items[i].h : 0)));
    top[r] = y;
    y += height[r] + GAP_Y;
  });
  const least = Math.min(...nodes.map((node) => node.x - node.w / 2));
  const places = items.map((item, i) => ({ x: nodes[i].x - item.w / 2 - least, y: top[rank[i]] }));
  const paths = chains.map((chain, k) => {
    // Straight through every rank, since what stands beside may be high; to the side only between ranks.
    const points = chain.flatMap((i, at) => {
      const x = nodes[i].x - least, r = nodes[i].rank, end = { x, y: top[r] + height[r] };
      if (at === chain.length - 1) return [{ x, y: top[r] }];
      return at > 0 ? [{ x, y: top[r] }, end] : items[i].h < height[r] ? [{ x, y: top[r] + items[i].h }, end] : [end];
    });
    return edges[k].from < edges[k].to ? points : points.reverse();
  });
  return { w: Math.max(0, ...nodes.map((node) => node.x + node.w / 2 - least)), h: Math.max(0, y - GAP_Y), places, paths };
}

// As high as the edges allow, no rank wider than a screen or two; what is only read then goes down to where it is read.
function ranksOf(items, edges) {
  const n = items.length;
  const ins = items.map(() => []), outs = items.map(() => []);
  for (const e of edges) { ins[e.to].push(e.from); outs[e.from].push(e.to); }
  const rank = new Array(n).fill(0), width = [];
  for (let i = 0; i < n; ++i) {
    let r = ins[i].length ? Math.max(...ins[i].map((p) => rank[p])) + 1 : 0;
    while ((width[r] || 0) > 0 && width[r] + items[i].w > RANK_WIDTH) ++r;
    rank[i] = r;
    width[r] = (width[r] || 0) + items[i].w + GAP_X;
  }
  for (let i = n - 1; i >= 0; --i) {
    if (outs[i].length === 0 || ins[i].length >= outs[i].length) continue;
    const lowest = Math.min(...outs[i].map((s) => rank[s])) - 1;
    for (let r = lowest; r > rank[i]; --r) {
      if (width[r] > 0 && width[r] + items[i].w > RANK_WIDTH) continue;
      width[rank[i]] -= items[i].w + GAP_X;
      width[r] = (width[r] || 0) + items[i].w + GAP_X;
      rank[i] = r;
      break;
    }
  }
  // No empty ranks.
  const used = [...new Set(rank)].sort((a, b) => a - b);
  return rank.map((r) => used.indexOf(r));
}

function orderRanks(nodes, ranks) {
  const position = new Array(nodes.length).fill(0);
  const note = (row) => row.forEach((i, at) => { position[i] = at; });
  ranks.forEach(note);
  const sweep = (row, side) => {
    const wish = new Map(row.map((i) => {
      const near = nodes[i][side];
      return [i, near.length ? near.reduce((sum, k) => sum + position[k], 0) / near.length : position[i]];
    }));
    row.sort((a, b) => wish.get(a) - wish.get(b) || position[a] - position[b]);
    note(row);
  };
  for (let round = 0; round < 8; ++round) {
    if (round % 2 === 0) for (let r = 1; r < ranks.length; ++r) sweep(ranks[r], 'up');
    else for (let r = ranks.length - 2; r >= 0; --r) sweep(ranks[r], 'down');
  }
}

const gapOf = (a, b) => (a.line && b.line ? GAP_LINE : GAP_X);

function placeColumns(nodes, ranks) {
  for (const row of ranks) {
    let x = 0;
    row.forEach((i, at) => {
      if (at > 0) x += gapOf(nodes[row[at - 1]], nodes[i]);
      nodes[i].x = x + nodes[i].w / 2;
      x += nodes[i].w;
    });
    for (const i of row) nodes[i].x -= x / 2;
  }
  const mean = (list) => list.reduce((sum, k) => sum + nodes[k].x, 0) / list.length;
  const settle = (row, sides) => {
    const wish = row.map((i) => {
      const near = sides.flatMap((side) => nodes[i][side]);
      return near.length ? mean(near) : nodes[i].x;
    });
    spread(nodes, row, wish);
  };
  for (let round = 0; round < 6; ++round) {
    for (let r = 1; r < ranks.length; ++r) settle(ranks[r], ['up']);
    for (let r = ranks.length - 2; r >= 0; --r) settle(ranks[r], ['down']);
  }
  for (const row of ranks) settle(row, ['up', 'down']);
}

// The places nearest to the wishes in the least-squares sense that keep order and distance: neighbours that would
// overlap become a block, which stands at the mean of what its members wish.
function spread(nodes, row, wish) {
  const blocks = [];
  let offset = 0;
  row.forEach((i, at) => {
    if (at > 0) offset += (nodes[row[at - 1]].w + nodes[i].w) / 2 + gapOf(nodes[row[at - 1]], nodes[i]);
    let block = { sum: wish[at] - offset, size: 1, from: at };
    while (blocks.length && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].size >= block.sum / block.size) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, size: before.size + block.size, from: before.from };
    }
    blocks.push(block);
  });
  offset = 0;
  let b = 0;
  row.forEach((i, at) => {
    if (at > 0) offset += (nodes[row[at - 1]].w + nodes[i].w) / 2 + gapOf(nodes[row[at - 1]], nodes[i]);
    while (b + 1 < blocks.length && blocks[b + 1].from <= at) ++b;
    nodes[i].x = blocks[b].sum / blocks[b].size + offset;
  });
}
