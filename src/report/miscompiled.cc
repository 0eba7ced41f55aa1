// What goes wrong is known from the partitioner (partition/miscompile.h); here are the words for it, and a way round.
#include "report/miscompiled.h"

#include <array>

namespace sw {

namespace {

struct Words {
  MiscompileKind kind;
  std::string_view what, fix;
};

constexpr std::array kWords = {
    Words{MiscompileKind::init_on_each_device,
          "each device starts from the initial value and the parts are then combined, so that it counts once for each "
          "part",
          "start from 0 (a product: from 1), and combine the initial value with the result"},
    Words{MiscompileKind::sum_over_replicas,
          "the partial sums of all devices are added up, also of those that hold the same part, so that the result is "
          "a multiple of what it should be",
          "shard input and kernel along the image by all axes of the mesh, or replicate one of the two"},
    Words{MiscompileKind::kernel_padding_moved,
          "the padding of the unevenly sharded, reversed kernel is taken for elements of it",
          "shard the kernel along the image by an axis that divides its extent, or replicate it"},
    Words{MiscompileKind::group_numbering,
          "the devices that make the parts of a piece of the result are not in the order of the result's sharding, so "
          "that devices end up with one another's pieces",
          "constrain the result to the sharding that the operands give it: the axes in the same order"},
    Words{MiscompileKind::piece_cut_as_whole,
          "the sum is a piece of the result already, and is cut once more as if it were the whole",
          "constrain the result to a sharding whose dimensions have the tiles of the operands"},
    Words{MiscompileKind::outer_sum_lost,
          "two contracting dimensions are sharded, and the parts are added up over one of them alone",
          "shard one contracting dimension, or both operands alike on both"},
    Words{MiscompileKind::cut_groups,
          "groups of features or of the batch are cut through, or kept whole beside a kernel that is cut, so that "
          "devices convolve what does not belong together",
          "shard groups by an axis that divides their number, input and kernel alike, or replicate them"},
    Words{MiscompileKind::cut_index_vectors,
          "the components of one index vector are on different devices; XLA's verifier refuses what comes of it",
          "replicate the indices along the dimension of the index vectors"},
    Words{MiscompileKind::filter_moved,
          "which rows of the operand a device holds is taken from a device that holds others, so that wrong rows are "
          "zero",
          "constrain the result to the sharding of the indices, or replicate the indices"},
    Words{MiscompileKind::operand_lost,
          "the updates are summed in several groups of devices, and in one alone the sum starts from the operand",
          "shard the indices along one dimension, or replicate them"},
    Words{MiscompileKind::padding_scattered,
          "the padding of unevenly sharded indices becomes index 0, and what lies in the padding of the updates is "
          "written there",
          "make the number of updates a multiple of the axis, or replicate the indices"},
    Words{MiscompileKind::window_padding_lost,
          "the operand is dilated, and padding at the borders of the pieces is forgotten",
          "shard the operand as the result before this operation"},
    Words{MiscompileKind::window_shift_lost,
          "as much is cut off at one end as is added at the other, and nothing is moved",
          "shard the operand as the result before this operation"},
    Words{MiscompileKind::init_in_padding,
          "padding becomes elements that hold the initial value, so that it counts once more for each of them",
          "start from 0 (a product: from 1), and combine the initial value with the result"},
    Words{MiscompileKind::halo_not_masked,
          "the image is cut into pieces far smaller than what the kernel reaches, and what is read beyond its ends is "
          "not zero",
          "shard the image by fewer devices, or replicate the kernel"},
    Words{MiscompileKind::piece_mistaken,
          "the piece of its operand has been moved or padded before, for an array of other extents or with other "
          "padding, "
          "and what was made of it then is taken",
          "constrain the operand to be replicated before it is used here"},
    Words{MiscompileKind::update_outside,
          "the update starts outside, from where it would be moved to fit in, but each device looks for it where it "
          "starts, and none takes it",
          "clamp the start index"},
    Words{
        MiscompileKind::offset_misplaced,
        "the image is dilated, and where the outputs of a device start is said for its dimensions and taken for those "
        "of the result, which stand in another order",
        "give the result the image's order of dimensions and transpose it afterwards"},
};

const Words& words_of(MiscompileKind kind) {
  for (const Words& words : kWords)
    if (words.kind == kind) return words;
  return kWords[0];
}

}  // namespace

std::vector<Finding> miscompiled_findings(const PlanReport& report) {
  std::vector<Finding> findings;
  if (report.local == nullptr) return findings;
  const Graph& graph = report.program.graph;
  for (const Miscompile& m : report.local->miscompiles) {
    const Words& words = words_of(m.kind);
    const bool has_result = m.op.valid() && graph.op(m.op).result_count > 0;
    findings.push_back(
        {LintRule::miscompiled, has_result ? graph.result(m.op) : ValueId{},
         "XLA partitions this wrongly (" + std::string(miscompile_name(m.kind)) + "): " + std::string(words.what),
         std::string(words.fix)});
  }
  return findings;
}

}  // namespace sw
