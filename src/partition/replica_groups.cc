#include "partition/replica_groups.h"

#include <cctype>
#include <string>

#include "base/checked_math.h"

namespace sw {

namespace {

class GroupText {
 public:
  explicit GroupText(std::string_view text) : text_(text) {}

  std::optional<TileGrid> read() {
    if (eat("mesh[")) return read_mesh();
    DimList dims = list('[', ']');
    if (dims.size() != 2 || !eat("<=")) return std::nullopt;
    return with_order(dims, list('[', ']'));
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool eat(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  std::optional<int64_t> number() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 && at_ - begin < 12) ++at_;
    if (begin == at_) return std::nullopt;
    return std::stoll(std::string(text_.substr(begin, at_ - begin)));
  }
  DimList list(char open, char close) {
    DimList numbers;
    if (!eat(std::string_view(&open, 1))) return numbers;
    while (const auto n = number()) {
      numbers.push_back(*n);
      if (!eat(",")) break;
    }
    eat(std::string_view(&close, 1));
    return numbers;
  }
  std::string name() {
    if (!eat("'")) return {};
    const size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) return {};
    std::string result(text_.substr(at_, end - at_));
    at_ = end + 1;
    return result;
  }
  // As many devices as a mesh may have; nothing for more.
  static std::optional<int64_t> count_of(const DimList& dims) {
    int64_t count = 1;
    for (int64_t d : dims) {
      const auto more = checked_mul(count, d);
      if (!more || *more >= int64_t{1} << 31) return std::nullopt;
      count = *more;
    }
    return count;
  }
  // `<=[2,4]T(1,0)` has been read up to the permutation.
  std::optional<TileGrid> with_order(const DimList& dims, const DimList& reshape) {
    SmallVector<int32_t, 8> perm;
    if (eat("T")) {
      for (int64_t p : list('(', ')')) perm.push_back(static_cast<int32_t>(p));
    } else {
      for (size_t i = 0; i < reshape.size(); ++i) perm.push_back(static_cast<int32_t>(i));
    }
    const auto devices = count_of(dims);
    if (reshape.empty() || perm.size() != reshape.size() || !devices || devices != count_of(reshape))
      return std::nullopt;
    std::vector<bool> seen(perm.size(), false);
    for (int32_t p : perm) {
      if (p < 0 || static_cast<size_t>(p) >= perm.size() || seen[static_cast<size_t>(p)]) return std::nullopt;
      seen[static_cast<size_t>(p)] = true;
    }
    return iota_grid(dims, reshape, perm);
  }
  // Groups enumerate the axes not listed, in order of the mesh; members the axes listed, in their order.
  std::optional<TileGrid> read_mesh() {
    std::vector<std::string> names;
    DimList sizes;
    while (!eat("]")) {
      names.push_back(name());
      if (!eat("=")) return std::nullopt;
      const auto size = number();
      if (!size || *size < 1) return std::nullopt;
      sizes.push_back(*size);
      eat(",");
      if (at_ >= text_.size()) return std::nullopt;
    }
    if (!count_of(sizes)) return std::nullopt;
    TileGrid mesh = identity_grid(sizes);
    if (eat(", device_ids=(") || eat(",device_ids=(")) {
      const std::optional<TileGrid> order = with_order(sizes, list('[', ']'));
      if (!order) return std::nullopt;
      mesh = reshaped(*order, sizes);
      eat(")");
    }
    if (!eat("{")) return std::nullopt;
    // Cut every axis at the borders of the sub-axes named: (pre, size) is the middle of [pre, size, rest].
    struct Part {
      size_t axis;
      int64_t pre, size;
    };
    std::vector<Part> listed;
    while (!eat("}")) {
      const std::string axis = name();
      size_t i = 0;
      while (i < names.size() && names[i] != axis) ++i;
      if (i == names.size()) return std::nullopt;
      Part part{i, 1, sizes[i]};
      if (eat(":(")) {
        const auto pre = number();
        eat(")");
        const auto size = number();
        if (!pre || !size || *pre < 1 || *size < 1 || *pre > sizes[i] || *size > sizes[i] ||
            sizes[i] % (*pre * *size) != 0)
          return std::nullopt;
        part.pre = *pre;
        part.size = *size;
      }
      listed.push_back(part);
      eat(",");
      if (at_ >= text_.size()) return std::nullopt;
    }
    TileDims cut;
    std::vector<Part> parts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t done = 1;
      while (done < sizes[i]) {
        int64_t next = sizes[i];
        for (const Part& p : listed) {
          if (p.axis != i) continue;
          if (p.pre > done) next = std::min(next, p.pre);
          if (p.pre * p.size > done) next = std::min(next, p.pre * p.size);
        }
        if (next % done != 0) return std::nullopt;
        cut.push_back(next / done);
        parts.push_back({i, done, next / done});
        done = next;
      }
    }
    DimList order, members;
    for (const Part& p : listed)
      for (size_t k = 0; k < parts.size(); ++k)
        if (parts[k].axis == p.axis && parts[k].pre >= p.pre && parts[k].pre * parts[k].size <= p.pre * p.size)
          members.push_back(static_cast<int64_t>(k));
    int64_t size = 1;
    for (int64_t k : members) size *= cut[static_cast<size_t>(k)];
    for (size_t k = 0; k < parts.size(); ++k)
      if (std::find(members.begin(), members.end(), static_cast<int64_t>(k)) == members.end())
        order.push_back(static_cast<int64_t>(k));
    order.append(members.begin(), members.end());
    const int64_t devices = product(sizes);
    if (order.size() != parts.size()) return std::nullopt;
    return reshaped(transposed(reshaped(mesh, cut), order), TileDims{devices / size, size});
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<TileGrid> read_replica_groups(const Graph& graph, const Op& op) {
  const AttrId id = graph.attr(op, "replica_groups");
  if (!id.valid()) return std::nullopt;
  const Attr attr = graph.attr_table.get(id);
  if (attr.kind == AttrKind::opaque || attr.kind == AttrKind::string) return GroupText(attr.text).read();
  if (attr.kind != AttrKind::dense || !attr.type.valid()) return std::nullopt;
  const Type type = graph.types.get(attr.type);
  if (type.rank() != 2 || type.dims[0] * type.dims[1] != static_cast<int64_t>(attr.integers.size()))
    return std::nullopt;
  for (int64_t v : attr.integers)
    if (v < 0) return std::nullopt;
  return list_grid(TileDims(type.dims), std::vector<int64_t>(attr.integers.begin(), attr.integers.end()));
}

PairList read_source_target_pairs(const Graph& graph, const Op& op) {
  const AttrId id = graph.attr(op, "source_target_pairs");
  if (!id.valid()) return {};
  std::vector<std::pair<int64_t, int64_t>> pairs;
  const Attr attr = graph.attr_table.get(id);
  for (size_t i = 0; i + 1 < attr.integers.size(); i += 2) pairs.emplace_back(attr.integers[i], attr.integers[i + 1]);
  return PairList(std::move(pairs));
}

}  // namespace sw
