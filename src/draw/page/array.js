// The picture of an array: its tiles over the mesh, which devices hold each, what is copied and what is padding. Two
// dimensions are drawn as a grid, further ones that are cut as several grids side by side.

const MOST_TILES = 12;  // drawn along one dimension; of more, the first ones and the last
const FACETS = 4;

function shownTiles(n) {
  if (n <= MOST_TILES) return Array.from({ length: n }, (_, i) => i);
  return [...Array.from({ length: MOST_TILES - 2 }, (_, i) => i), -1, n - 1];
}

function arrayPicture(plan, type, sharding) {
  const p = piece(plan, type, sharding);
  const s = sharding >= 0 ? PLANS[plan].shardings[sharding] : null;
  if (TYPES.bits[type] === 0 || p.dims.length === 0 || p.dims.some((d) => d === 0)) return null;
  const tiled = s !== null && s.kind === 'tiled';
  const devices = tiled ? devicesOf(s) : null;
  const copies = tiled ? s.tile.slice(s.dataRank).reduce((a, b) => a * b, 1) : null;
  // Rows and columns: the last two dimensions that are cut, else the last two.
  const cut = p.dims.map((_, d) => d).filter((d) => p.tiles[d] > 1);
  const rest = p.dims.map((_, d) => d).filter((d) => p.tiles[d] === 1);
  let drawn = cut.slice(-2);
  while (drawn.length < Math.min(2, p.dims.length)) drawn.push(rest.pop());
  drawn = drawn.sort((a, b) => a - b);
  const [rowDim, columnDim] = drawn.length === 2 ? drawn : [null, drawn[0]];
  const facetDims = cut.filter((d) => !drawn.includes(d));
  const facetCount = facetDims.reduce((n, d) => n * p.tiles[d], 1);
  const context = { base: facetCount > 1 ? 120 : 240, plan, p, s, tiled, devices, copies, rowDim, columnDim, sharding };

  const grids = [];
  for (let f = 0; f < Math.min(facetCount, FACETS); ++f) {
    const at = p.dims.map(() => 0);
    let left = f;
    for (const d of [...facetDims].reverse()) { at[d] = left % p.tiles[d]; left = Math.floor(left / p.tiles[d]); }
    const name = facetDims.map((d) => `dimension ${d}, tile ${at[d]} of ${p.tiles[d]}`).join(' · ');
    grids.push(el('div.facet', null, facetDims.length ? el('p.facetname', null, name) : null, gridPicture(context, at)));
  }
  const more = facetCount > FACETS ? el('p.muted', null, `${count(facetCount - FACETS)} more like these`) : null;
  return el('figure.array', null, el('div.facets', null, grids), more, el('figcaption', null, arrayWords(context, cut)));
}

function arrayWords({ plan, p, s, tiled, devices, copies, sharding }, cut) {
  const words = [];
  for (const d of cut) {
    const axes = s.axes.filter((_, i) => s.axisDims[i] === d).map(str);
    const by = axes.length ? `over ${axes.join(', ')}` : 'over the devices';
    words.push(`Dimension ${d}: ${count(p.dims[d])} in ${count(p.tiles[d])} × ${count(p.shape[d])} ${by}${p.dims[d] % p.tiles[d] ? `, of which ${count(p.tiles[d] * p.shape[d] - p.dims[d])} is padding` : ''}.`);
  }
  if (sharding === ABSENT) words.push('The partitioner does not see this value.');
  else if (s && s.kind === 'maximal') words.push(`On device ${s.device} alone.`);
  else if (s && s.kind === 'manual') words.push('In a manual region: this is the piece of one device.');
  else if (!tiled || cut.length === 0) words.push(`Whole on every device${DATA.mesh.devices > 1 ? ` (${plural(DATA.mesh.devices, 'copy').replace('copys', 'copies')})` : ''}.`);
  else if (copies > 1) words.push(`Each piece is on ${plural(copies, 'device')}.`);
  else words.push('Each piece is on one device.');
  if (tiled && devices === null) words.push('Too many devices to be named.');
  return words.join(' ');
}

function gridPicture({ base: room, p, s, tiled, devices, copies, rowDim, columnDim }, base) {
  const rowTiles = rowDim === null ? 1 : p.tiles[rowDim], columnTiles = p.tiles[columnDim];
  const rows = shownTiles(rowTiles), columns = shownTiles(columnTiles);
  const rowExtent = rowDim === null ? 1 : Math.max(p.dims[rowDim], 1), columnExtent = Math.max(p.dims[columnDim], 1);
  // The form of the array, but never so thin that tiles cannot be told apart.
  const ratio = Math.min(3.2, Math.max(0.45, Math.sqrt(columnExtent / rowExtent)));
  const width = Math.max(columns.length * 34, room * Math.min(1, ratio)), height = rowDim === null ? 44 : Math.max(rows.length * 26, Math.min(150, width / ratio));
  const left = rowDim === null ? 2 : 40, top = 20;
  const cellWidth = width / columns.length, cellHeight = height / rows.length;
  const picture = svg('svg.arraypic', {
    viewBox: `0 0 ${left + width + 2} ${top + height + 4}`, role: 'img',
    'aria-label': `${rowTiles} by ${columnTiles} tiles`,
  });
  picture.style.setProperty('max-width', `${left + width + 2}px`);
  picture.append(svg('text.dimname', { x: left + width / 2, y: 12, 'text-anchor': 'middle' }, `dim ${columnDim} · ${p.dims[columnDim] < 0 ? '?' : count(p.dims[columnDim])}`));
  if (rowDim !== null) {
    const y = top + height / 2;
    picture.append(svg('text.dimname', { x: 14, y, 'text-anchor': 'middle', transform: `rotate(-90 14 ${y})` }, `dim ${rowDim} · ${p.dims[rowDim] < 0 ? '?' : count(p.dims[rowDim])}`));
  }
  rows.forEach((r, i) => columns.forEach((c, j) => {
    const x = left + j * cellWidth, y = top + i * cellHeight;
    if (r < 0 || c < 0) {
      picture.append(svg('text.gap', { x: x + cellWidth / 2, y: y + cellHeight / 2 + 4, 'text-anchor': 'middle' }, r < 0 && c < 0 ? '⋱' : r < 0 ? '⋮' : '…'));
      return;
    }
    const at = [...base];
    if (rowDim !== null) at[rowDim] = r;
    at[columnDim] = c;
    const on = tiled && devices ? devicesOfTile(s, devices, copies, at) : null;
    const part = (d, k) => {
      const begin = k * p.shape[d], end = Math.min(begin + p.shape[d], p.dims[d]);
      return p.tiles[d] === 1 || p.dims[d] < 0 ? 'all' : begin >= p.dims[d] ? 'padding only' : `${begin}–${end - 1}`;
    };
    const told = `${on ? `device${on.length > 1 ? 's' : ''} ${ranges(on, 12)}: ` : ''}${rowDim === null ? '' : `dimension ${rowDim} ${part(rowDim, r)}, `}dimension ${columnDim} ${part(columnDim, c)}`;
    const cell = svg(`g.tile.tint${tiled ? (r + c) % 2 : 0}`, null, svg('title', null, told),
      svg('rect', { x: x + 0.75, y: y + 0.75, width: cellWidth - 1.5, height: cellHeight - 1.5, rx: 2 }));
    addPadding(cell, p, x, y, cellWidth, cellHeight, rowDim, r, columnDim, c);
    const label = on ? fitted(ranges(on, 3), on.length, cellWidth) : !tiled ? 'every device' : '';
    if (label) cell.append(svg('text', { x: x + cellWidth / 2, y: y + cellHeight / 2 + 4, 'text-anchor': 'middle' }, label));
    picture.append(cell);
  }));
  return picture;
}

function fitted(text, devices, width) {
  const room = Math.floor((width - 6) / 6);
  if (text.length <= room) return text;
  const short = `×${devices}`;
  return short.length <= room ? short : '';
}

function devicesOfTile(s, devices, copies, at) {
  let tile = 0;
  for (let d = 0; d < s.dataRank; ++d) tile = tile * s.tile[d] + at[d];
  return devices.slice(tile * copies, (tile + 1) * copies).sort((a, b) => a - b);
}

// The part of a tile that lies behind the end of the array.
function addPadding(cell, p, x, y, width, height, rowDim, r, columnDim, c) {
  const beyond = (d, k) => (d === null || p.dims[d] < 0 ? 0 : Math.min(1, Math.max(0, ((k + 1) * p.shape[d] - p.dims[d]) / p.shape[d])));
  const right = beyond(columnDim, c), below = beyond(rowDim, r);
  if (right > 0) cell.append(svg('rect.padding', { x: x + width * (1 - right), y, width: width * right, height }));
  if (below > 0) cell.append(svg('rect.padding', { x, y: y + height * (1 - below), width, height: height * below }));
}
