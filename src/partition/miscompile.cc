#include "partition/miscompile.h"

namespace sw {

std::string_view miscompile_name(MiscompileKind kind) {
  switch (kind) {
    case MiscompileKind::init_on_each_device: return "init-on-each-device";
    case MiscompileKind::sum_over_replicas: return "sum-over-replicas";
    case MiscompileKind::kernel_padding_moved: return "kernel-padding-moved";
    case MiscompileKind::group_numbering: return "group-numbering";
    case MiscompileKind::piece_cut_as_whole: return "piece-cut-as-whole";
    case MiscompileKind::outer_sum_lost: return "outer-sum-lost";
    case MiscompileKind::cut_groups: return "cut-groups";
    case MiscompileKind::cut_index_vectors: return "cut-index-vectors";
    case MiscompileKind::filter_moved: return "filter-moved";
    case MiscompileKind::operand_lost: return "operand-lost";
    case MiscompileKind::padding_scattered: return "padding-scattered";
    case MiscompileKind::window_padding_lost: return "window-padding-lost";
    case MiscompileKind::window_shift_lost: return "window-shift-lost";
    case MiscompileKind::init_in_padding: return "init-in-padding";
    case MiscompileKind::halo_not_masked: return "halo-not-masked";
    case MiscompileKind::piece_mistaken: return "piece-mistaken";
    case MiscompileKind::update_outside: return "update-outside";
    case MiscompileKind::offset_misplaced: return "offset-misplaced";
  }
  return {};
}

}  // namespace sw
