#include "partition/window_attrs.h"

#include "base/check.h"

namespace sw {

std::vector<NamedAttr> window_attrs(Emitter& emit, OpKind kind, const WindowDims& window) {
  Dims sizes, strides, base, inner, padding;
  for (const WindowDim& w : window) {
    sizes.push_back(w.size);
    strides.push_back(w.stride);
    base.push_back(w.base_dilation);
    inner.push_back(w.window_dilation);
    padding.push_back(w.pad_low);
    padding.push_back(w.pad_high);
  }
  Attr pads;
  pads.kind = AttrKind::dense;
  pads.form = DenseForm::list;
  const Dims dims{static_cast<int64_t>(window.size()), 2};
  pads.type = emit.builder().types().tensor(ElementType::s64, dims);
  pads.integers = padding;
  std::vector<NamedAttr> attrs{emit.dims_attr("window_strides", strides),
                               {emit.builder().name("padding"), emit.builder().attr_table().intern(pads)}};
  if (kind == OpKind::convolution) {
    attrs.push_back(emit.dims_attr("lhs_dilation", base));
    attrs.push_back(emit.dims_attr("rhs_dilation", inner));
    attrs.push_back(emit.dims_attr("window_dimensions", sizes));
  } else {
    attrs.push_back(emit.dims_attr("window_dimensions", sizes));
    attrs.push_back(emit.dims_attr("base_dilations", base));
    attrs.push_back(emit.dims_attr("window_dilations", inner));
  }
  return attrs;
}

Dims window_output(const Dims& input, const WindowDims& window) {
  Dims out;
  for (size_t d = 0; d < window.size(); ++d) {
    const auto size = window_output_size(input[d], window[d]);
    SW_CHECK(size.has_value(), "window does not fit the piece");
    out.push_back(*size);
  }
  return out;
}

}  // namespace sw
