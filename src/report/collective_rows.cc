// See the header.
#include "report/collective_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/table.h"

namespace sw {

std::string CollectiveRow::amount() const {
  std::string text = bytes_text(first->collective->bytes);
  if (count > 1) text += " × " + count_text(count);
  const int64_t trips = first->collective->trip_count;
  if (trips > 1) text += " in a loop × " + count_text(trips);
  if (trips == 0) text += " in a loop";
  return text;
}

std::vector<CollectiveRow> rows_of(const CollectiveList& list, std::span<const uint32_t> members) {
  using Key = std::tuple<std::string_view, const std::string&, const std::string&, const std::string&,
                         const std::string&, const std::string&, int64_t>;
  std::vector<CollectiveRow> rows;
  std::map<Key, size_t> known;
  for (const uint32_t i : members) {
    const CollectiveFacts& c = list.all()[i];
    const Key key{c.kind, c.groups->over, c.groups->devices, c.shape, c.place, c.cause, c.collective->trip_count};
    const auto [at, fresh] = known.emplace(key, rows.size());
    if (fresh) rows.push_back({&c, 0, 0});
    CollectiveRow& row = rows[at->second];
    ++row.count;
    row.bytes = saturated_add(row.bytes, c.bytes);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const CollectiveRow& a, const CollectiveRow& b) { return a.bytes > b.bytes; });
  return rows;
}

}  // namespace sw
