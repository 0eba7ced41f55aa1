// Annotations, manual sharding, shard groups, loops and branches, what is fixed and what is given back.
#include "support/gspmd.h"

using namespace sw;
using test::gspmd;

TEST_CASE("gspmd: an annotation gives its sharding to the value before it at once") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}
  %s = f32[64,32] sine(%p)
  %c = f32[64,32] custom-call(%s), custom_call_target="Sharding", sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  ROOT %r = f32[64,32] cosine(%c)
})");
  CHECK(answer["s"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(answer["r"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd: open dimensions of an annotation take what is around") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}
  %s = f32[64,32] sine(%p)
  ROOT %c = f32[64,32] custom-call(%s), custom_call_target="Sharding", sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}, backend_config="unspecified_dims=[1]"
})");
  CHECK(answer["s"] == "{devices=[2,4]<=[8]}");
  CHECK(answer["c"] == "{devices=[2,4]<=[8]}");
}

TEST_CASE("gspmd: manual sharding stays between the conversions") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[8,1]<=[8]}
  %a = f32[64,32] custom-call(%p), custom_call_target="Sharding", sharding={devices=[8,1]<=[8]}
  %m = f32[8,32] custom-call(%a), custom_call_target="SPMDFullToShardShape", sharding={manual}
  %s = f32[8,32] sine(%m)
  %b = f32[8,32] custom-call(%s), custom_call_target="Sharding", sharding={manual}
  %f = f32[64,32] custom-call(%b), custom_call_target="SPMDShardToFullShape", sharding={devices=[8,1]<=[8]}
  ROOT %r = f32[64,32] negate(%f)
})");
  CHECK(answer["s"] == "{manual}");
  CHECK(answer["r"] == "{devices=[8,1]<=[8]}");
}

TEST_CASE("gspmd: a subgroup of manual devices is carried along") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}
  %t = f32[32,64] transpose(%p), dimensions={1,0}
  ROOT %r = f32[32,8,8] reshape(%t)
})");
  CHECK(answer["t"] == "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}");
  CHECK(answer["r"] == "{devices=[2,1,1,2,2]<=[8] last_tile_dims={manual, replicated}}");
}

TEST_CASE("gspmd: a conversion that leaves dimensions open takes nothing without its annotation") {
  // The user's sharding has no replication left to carry the manual devices in, so the annotation cannot follow.
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0)
  %q = f32[128,32] parameter(1), sharding={devices=[2,4]<=[8]}
  %m = f32[64,32] custom-call(%p), custom_call_target="Sharding", sharding={devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}, backend_config="unspecified_dims=[0,1]"
  %f = f32[128,32] custom-call(%m), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}, backend_config="unspecified_dims=[0,1]"
  ROOT %s = f32[128,32] add(%f, %q)
})");
  CHECK(answer["s"] == "{devices=[2,4]<=[8]}");
  CHECK(answer["f"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
}

TEST_CASE("gspmd: members of a shard_as group end up the same") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true,true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  %q = f32[64,32] parameter(1), sharding={replicated}
  %a = f32[64,32] sine(%p)
  %b = f32[64,32] cosine(%q)
  %c = f32[64,32] custom-call(%a), custom_call_target="Sharding", sharding={unknown shard_as 1}
  %d = f32[64,32] custom-call(%b), custom_call_target="Sharding", sharding={unknown shard_as 1}
  ROOT %r = (f32[64,32], f32[64,32]) tuple(%c, %d)
})");
  CHECK(answer["a"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(answer["b"] == answer["a"]);
}

TEST_CASE("gspmd: a loop's state has one sharding inside and outside") {
  const auto answer = gspmd(
      R"(HloModule m, allow_spmd_sharding_propagation_to_parameters={false,true}, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
%body (s: (s32[], f32[64,32], f32[32,32])) -> (s32[], f32[64,32], f32[32,32]) {
  %s = (s32[], f32[64,32], f32[32,32]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %c = f32[64,32] get-tuple-element(%s), index=1
  %w = f32[32,32] get-tuple-element(%s), index=2
  %d = f32[64,32] dot(%c, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (s32[], f32[64,32], f32[32,32]) tuple(%next, %d, %w)
}

%cond (s: (s32[], f32[64,32], f32[32,32])) -> pred[] {
  %s2 = (s32[], f32[64,32], f32[32,32]) parameter(0)
  %i2 = s32[] get-tuple-element(%s2), index=0
  %ten = s32[] constant(10)
  ROOT %lt = pred[] compare(%i2, %ten), direction=LT
}

ENTRY %main {
  %zero = s32[] constant(0)
  %p0 = f32[64,32] parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  %p1 = f32[32,32] parameter(1)
  %init = (s32[], f32[64,32], f32[32,32]) tuple(%zero, %p0, %p1)
  %loop = (s32[], f32[64,32], f32[32,32]) while(%init), condition=%cond, body=%body
  ROOT %r = f32[64,32] get-tuple-element(%loop), index=1
})");
  const std::string state = "{{replicated}, {devices=[2,1,4]<=[8] last_tile_dim_replicate}, {replicated}}";
  CHECK(answer["loop"] == state);
  CHECK(answer["s"] == state);
  CHECK(answer["s2"] == state);
  CHECK(answer["t"] == state);
  CHECK(answer["d"] == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(answer["p1"] == "{replicated}");
}

TEST_CASE("gspmd: parameters and results that are fixed get back what they had") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={false,true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  %q = f32[64,32] parameter(1)
  %a = f32[64,32] add(%p, %q)
  ROOT %r = (f32[64,32], f32[64,32]) tuple(%a, %a), sharding={{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}, {replicated}}
})");
  CHECK(answer.outputs ==
        std::vector<std::string>{"{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "{devices=[2,4]<=[8]}"});
  CHECK(answer["q"] == "none");  // a parameter without a sharding takes none while parameters are fixed
}

TEST_CASE("gspmd: every change is in the trace, and replaying it gives the plan") {
  const auto answer = gspmd(R"(HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8
ENTRY %main {
  %p = f32[64,32] parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  %q = f32[64,32] parameter(1), sharding={devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}
  %a = f32[64,32] add(%p, %q)
  ROOT %r = f32[32,64] transpose(%a), dimensions={1,0}
})");
  std::vector<TileShardingId> replayed(answer.plan.tiled.size());
  for (const Step& step : answer.plan.trace.steps) {
    CHECK(replayed[step.value.index()].raw == step.before);
    replayed[step.value.index()] = TileShardingId{step.after};
  }
  CHECK(replayed == answer.plan.tiled);
}
