// See the header.
#include "report/collectives_diff.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kRows = 12;

// "3 (1.2 MiB)", or "-".
std::string side_text(const CollectiveSide& side) {
  return side.members.empty() ? "-" : count_text(side.runs) + " (" + bytes_text(side.bytes) + ")";
}

std::string_view change_word(const CollectiveChange& c) {
  if (c.a.members.empty()) return "appears";
  if (c.b.members.empty()) return "vanishes";
  if (c.change() == 0) return "changes";
  return c.change() > 0 ? "grows" : "shrinks";
}

// "f32[8,16]", "f32[8,16] → f32[16,16]", with how many more shapes there are.
std::string shapes_of(const CollectiveSide& side) {
  if (side.members.empty()) return {};
  std::vector<std::string_view> others;
  for (const CollectiveFacts* c : side.members)
    if (c->shape != side.members.front()->shape && std::find(others.begin(), others.end(), c->shape) == others.end())
      others.push_back(c->shape);
  return side.members.front()->shape +
         (others.empty() ? "" : " and " + count_text(static_cast<int64_t>(others.size())) + " more");
}

std::string shapes_text(const CollectiveChange& c) {
  const std::string a = shapes_of(c.a), b = shapes_of(c.b);
  return a.empty() || a == b ? b : b.empty() ? a : a + " → " + b;
}

// Why it is there, in the plan that has more of it.
const CollectiveFacts& heavier(const CollectiveChange& c) {
  return *(c.b.members.empty() || (!c.a.members.empty() && c.change() < 0) ? c.a : c.b).members.front();
}

std::vector<std::string> change_cells(const CollectiveChange& c) {
  return {std::string(change_word(c)),
          std::string(c.kind),
          c.groups->over,
          shapes_text(c),
          side_text(c.a),
          side_text(c.b),
          signed_bytes_text(c.change()),
          c.place,
          heavier(c).cause};
}

}  // namespace

void CollectiveSide::add(const CollectiveFacts& c) {
  members.push_back(&c);
  runs = saturated_add(runs, c.runs);
  bytes = saturated_add(bytes, c.bytes);
}

CollectivesDiff::CollectivesDiff(const CollectiveList& a, const CollectiveList& b) : sums_(grouped(a, b, false)) {
  for (const CollectiveChange& sum : sums_) {
    bytes_a_ = saturated_add(bytes_a_, sum.a.bytes);
    bytes_b_ = saturated_add(bytes_b_, sum.b.bytes);
  }
  std::vector<CollectiveChange> changes = grouped(a, b, true);
  pair_elsewhere(changes);
  const auto by_size = [](const CollectiveChange& x, const CollectiveChange& y) {
    return std::abs(x.change()) > std::abs(y.change());
  };
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(changes_),
               [](const CollectiveChange& c) { return c.a.runs != c.b.runs || c.a.bytes != c.b.bytes; });
  std::stable_sort(changes_.begin(), changes_.end(), by_size);
  std::stable_sort(sums_.begin(), sums_.end(), [](const CollectiveChange& x, const CollectiveChange& y) {
    return std::max(x.a.bytes, x.b.bytes) > std::max(y.a.bytes, y.b.bytes);
  });
}

std::vector<CollectiveChange> CollectivesDiff::grouped(const CollectiveList& a, const CollectiveList& b,
                                                       bool by_place) const {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::vector<CollectiveChange> found;
  std::map<Key, size_t> known;
  const auto add = [&](const CollectiveList& list, CollectiveSide CollectiveChange::*side) {
    for (const CollectiveFacts& c : list.all()) {
      const std::string_view place = by_place ? std::string_view(c.place) : std::string_view();
      const auto [at, fresh] = known.emplace(Key{c.kind, c.groups->over, place}, found.size());
      if (fresh) found.push_back({c.kind, c.groups, std::string(place), {}, {}});
      (found[at->second].*side).add(c);
    }
  };
  add(a, &CollectiveChange::a);
  add(b, &CollectiveChange::b);
  return found;
}

// Takes out of lines that only one plan has what the other has on lines of its own.
void CollectivesDiff::pair_elsewhere(std::vector<CollectiveChange>& changes) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, int64_t>;
  const auto key = [](const CollectiveFacts& c) { return Key{c.kind, c.groups->over, c.shape, c.runs}; };
  std::map<Key, size_t> free_in_b;
  const auto only_in = [](const CollectiveSide& here, const CollectiveSide& there) {
    return there.members.empty() && !here.members.empty();
  };
  for (const CollectiveChange& c : changes)
    if (only_in(c.b, c.a))
      for (const CollectiveFacts* member : c.b.members) ++free_in_b[key(*member)];
  std::map<Key, size_t> paired;
  const auto keep = [](CollectiveSide& side, const auto& taken) {
    CollectiveSide rest;
    for (const CollectiveFacts* member : side.members)
      if (!taken(*member)) rest.add(*member);
    side = std::move(rest);
  };
  std::vector<bool> lone_b(changes.size());
  for (size_t i = 0; i < changes.size(); ++i) lone_b[i] = only_in(changes[i].b, changes[i].a);
  for (CollectiveChange& c : changes)
    if (only_in(c.a, c.b))
      keep(c.a, [&](const CollectiveFacts& member) {
        const auto at = free_in_b.find(key(member));
        if (at == free_in_b.end() || at->second == 0) return false;
        --at->second;
        ++paired[at->first];
        ++elsewhere_;
        return true;
      });
  for (size_t i = 0; i < changes.size(); ++i)
    if (lone_b[i])
      keep(changes[i].b, [&](const CollectiveFacts& member) {
        const auto at = paired.find(key(member));
        if (at == paired.end() || at->second == 0) return false;
        --at->second;
        return true;
      });
}

std::string moved_difference(const CollectivesDiff& diff, const std::string& a, const std::string& b) {
  const int64_t change = diff.bytes_b() - diff.bytes_a();
  if (change == 0) return "a step moves the same " + bytes_text(diff.bytes_a()) + " a device under both";
  return "a step moves " + bytes_text(std::abs(change)) + " more a device under " + (change > 0 ? b : a);
}

void write_collectives_diff_text(const CollectivesDiff& diff, const std::string& a, const std::string& b, bool all,
                                 TextSink& out) {
  if (diff.sums().empty()) {
    out.write("\n  no collectives on either side\n");
    return;
  }
  out.write("\n  collectives a step, and bytes of their results on a device\n");
  Table sums({20, 40, 0, 0, 0}, 5);
  sums.add({"", "", a, b, ""});
  const size_t most = all ? diff.sums().size() : std::min(diff.sums().size(), kRows);
  for (size_t i = 0; i < most; ++i) {
    const CollectiveChange& sum = diff.sums()[i];
    sums.add(
        {std::string(sum.kind), sum.groups->over, side_text(sum.a), side_text(sum.b), signed_bytes_text(sum.change())});
  }
  sums.write(out);
  if (diff.sums().size() > most)
    out.write("     …" + count_text(static_cast<int64_t>(diff.sums().size() - most)) + " more (--all)\n");
  if (!diff.equal()) {
    out.write("\n  collectives that differ\n");
    Table table({0, 20, 40, 44, 0, 0, 0, 28, 0}, 5);
    table.add({"", "", "", "", a, b, "", "", ""});
    const size_t rows = all ? diff.changes().size() : std::min(diff.changes().size(), kRows);
    for (size_t i = 0; i < rows; ++i) table.add(change_cells(diff.changes()[i]));
    table.write(out);
    if (diff.changes().size() > rows)
      out.write("     …" + count_text(static_cast<int64_t>(diff.changes().size() - rows)) + " more (--all)\n");
  }
  if (diff.elsewhere() > 0)
    out.write("     " + count_text(static_cast<int64_t>(diff.elsewhere())) + (diff.elsewhere() == 1 ? " is" : " are") +
              " the same on both sides, on other lines\n");
}

namespace {

void write_side(const CollectiveSide& side, JsonWriter& json) {
  json.begin_object();
  json.key("runs").number(side.runs);
  json.key("bytes").number(side.bytes);
  json.key("shapes").begin_array();
  std::vector<std::string_view> seen;
  for (const CollectiveFacts* c : side.members) {
    if (std::find(seen.begin(), seen.end(), c->shape) != seen.end()) continue;
    seen.push_back(c->shape);
    json.string(c->shape);
  }
  json.end();
  json.key("user").boolean(!side.members.empty() && side.members.front()->by_user());
  json.key("why").string_or_null(side.members.empty() ? "" : side.members.front()->cause);
  json.end();
}

void write_change(const CollectiveChange& c, bool with_sides, JsonWriter& json) {
  json.begin_object();
  if (with_sides) json.key("change").string(change_word(c));
  json.key("op").string(c.kind);
  json.key("over").string(c.groups->over);
  json.key("axes").begin_array();
  for (const std::string& axis : c.groups->axes) json.string(axis);
  json.end();
  if (with_sides) {
    json.key("place").string_or_null(c.place);
    json.key("a");
    write_side(c.a, json);
    json.key("b");
    write_side(c.b, json);
  } else {
    json.key("runs_a").number(c.a.runs);
    json.key("runs_b").number(c.b.runs);
  }
  json.key("bytes_a").number(c.a.bytes);
  json.key("bytes_b").number(c.b.bytes);
  json.end();
}

}  // namespace

void write_collectives_diff_json(const CollectivesDiff& diff, JsonWriter& json) {
  json.begin_object();
  json.key("equal").boolean(diff.equal());
  json.key("bytes_a").number(diff.bytes_a());
  json.key("bytes_b").number(diff.bytes_b());
  json.key("elsewhere").number(static_cast<int64_t>(diff.elsewhere()));
  json.key("sums").begin_array();
  for (const CollectiveChange& sum : diff.sums()) write_change(sum, false, json);
  json.end();
  json.key("changes").begin_array();
  for (const CollectiveChange& change : diff.changes()) write_change(change, true, json);
  json.end();
  json.end();
}

std::string collectives_diff_markdown(const CollectivesDiff& diff, const std::string& a, const std::string& b,
                                      size_t most_bytes) {
  if (diff.equal()) return {};
  std::string text = "\n" + markdown_row({"collectives", "", "over", "on a device", a, b, "bytes", "where", "why"}) +
                     "|---|---|---|---|---|---|---|---|---|\n";
  size_t left = diff.changes().size();
  for (const CollectiveChange& c : diff.changes()) {
    const std::string row = markdown_row(change_cells(c));
    if (text.size() + row.size() > most_bytes) break;
    text += row;
    --left;
  }
  if (left > 0)
    text += "\n" + count_text(static_cast<int64_t>(left)) + " more collectives that differ are not shown.\n";
  return text;
}

}  // namespace sw
