// `spec("params['w1']") == P(None, 'tensor')`: which value, and which sharding.
#include "report/assertion.h"
#include "report/plan_report.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

namespace {

// The rank of what is asked about.
size_t rank_of(const Program& program, const Subject& subject) {
  return program.graph.type_of(subject.values.front()).rank();
}

Result<NamedShardingId> read_named(TextCursor& in, Program& program, MeshId mesh, size_t rank, const std::string& value,
                                   Diagnostics& diagnostics) {
  if (mesh.valid()) return parse_any_sharding(in, program.shardings, mesh, rank, diagnostics, value);
  diagnostics.error(DiagnosticKind::unknown_mesh, in.where, "the program has no mesh whose axes a sharding could name")
      .help("give one, `--mesh x=2,y=4`, or the sharding as HLO writes it, `{devices=[2,1]<=[2]}`");
  return reported();
}

}  // namespace

bool resolve_spec(Assertion& assertion, Program& program, const Plan& plan, const SourceManager& sources,
                  Diagnostics& diagnostics) {
  if (assertion.kind != Assertion::Kind::spec) return true;
  Result<Subject> subject = find_subject(program, sources, assertion.value, diagnostics, assertion.value_where);
  if (!subject) return false;
  assertion.subject = std::move(*subject);
  const bool by_tiles = plan.by != Partitioner::shardy;
  TextCursor in = TextCursor::of_range(sources, assertion.spec_where);
  if (by_tiles && !plan.mesh.valid() && !in.text.empty() && in.text.front() == '{') {
    const Result<TileShardingId> tiles = parse_hlo_sharding(in, program.tile_shardings, diagnostics);
    if (!tiles) return false;
    assertion.wanted = tiles->raw;
    return true;
  }
  const Result<NamedShardingId> named =
      read_named(in, program, plan.mesh, rank_of(program, assertion.subject), "`" + assertion.value + "`", diagnostics);
  if (!named) return false;
  assertion.wanted =
      by_tiles ? program.tile_shardings.intern(tile_from_named(program.shardings, *named)).raw : named->raw;
  return true;
}

}  // namespace sw
