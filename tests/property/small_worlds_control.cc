// Loops, branches, calls, tuples, custom calls, random numbers, and what stands in manual regions.
#include "property/small_worlds_text.h"

namespace sw::test {

namespace {

// A loop whose state is sharded by a choice of its own: doubles an array three times and adds the counter.
void add_loops(Worlds& out) {
  WorldProgram loop = op({"s32[4,3]"}, "s32[4,3]", "get-tuple-element(w.sx0), index=1",
                         "  z = s32[] constant(0)\n  init.sx1 = (s32[], s32[4,3]) tuple(z, p0)\n"
                         "  w.sx0 = (s32[], s32[4,3]) while(init.sx1), condition=cond, body=body\n");
  loop.computations =
      "body {\n  t.sx0 = (s32[], s32[4,3]) parameter(0)\n  i = s32[] get-tuple-element(t.sx0), index=0\n"
      "  x.sx0 = s32[4,3] get-tuple-element(t.sx0), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
      "  b.sx0 = s32[4,3] broadcast(j), dimensions={}\n  d.sx0 = s32[4,3] add(x.sx0, x.sx0)\n"
      "  y.sx2 = s32[4,3] add(d.sx0, b.sx0)\n  ROOT n.sx0 = (s32[], s32[4,3]) tuple(j, y.sx2)\n}\n\n"
      "cond {\n  t.sx0 = (s32[], s32[4,3]) parameter(0)\n  i = s32[] get-tuple-element(t.sx0), index=0\n"
      "  three = s32[] constant(3)\n  ROOT c = pred[] compare(i, three), direction=LT\n}\n\n";
  out.push_back(loop);
  // The array decides when the loop ends: every device must see the same.
  loop.lines =
      "  p0 = s32[5] parameter(0)\n  w.sx0 = s32[5] while(p0), condition=small, body=more\n"
      "  ROOT r = s32[5] copy(w.sx0)\n";
  loop.computations =
      "more {\n  x.sx0 = s32[5] parameter(0)\n  i.sx1 = s32[5] iota(), iota_dimension=0\n"
      "  ROOT y.sx0 = s32[5] add(x.sx0, i.sx1)\n}\n\n"
      "small {\n  x.sx0 = s32[5] parameter(0)\n  z = s32[] constant(0)\n"
      "  m = s32[] reduce(x.sx0, z), dimensions={0}, to_apply=max_s32\n  b = s32[] constant(20)\n"
      "  ROOT c = pred[] compare(m, b), direction=LT\n}\n\n";
  out.push_back(loop);
}

void add_branches(Worlds& out) {
  const std::string branches =
      "first {\n  x.sp1 = s32[4,3] parameter(0)\n  ROOT n.sr = s32[4,3] negate(x.sp1)\n}\n\n"
      "second {\n  x.sp2 = s32[3,4] parameter(0)\n  ROOT t.sr = s32[4,3] transpose(x.sp2), dimensions={1,0}\n}\n\n"
      "third {\n  x.sp1 = s32[4,3] parameter(0)\n  ROOT v.sr = s32[4,3] reverse(x.sp1), dimensions={0}\n}\n\n";
  WorldProgram either = op({"pred[]", "s32[4,3]", "s32[3,4]"}, "s32[4,3]",
                           "conditional(p0, p1, p2), true_computation=first, false_computation=second");
  either.computations = branches;
  out.push_back(either);
  WorldProgram one_of = op({"s32[]", "s32[4,3]", "s32[3,4]"}, "s32[4,3]",
                           "conditional(p0, p1, p2, p1), branch_computations={first, second, third}");
  one_of.computations = branches;
  out.push_back(one_of);
  one_of.inputs = WorldInputs::wild;  // out of range is the last one
  out.push_back(one_of);
}

void add_computations(Worlds& out) {
  const std::string sum =
      "sum {\n  x.sp0 = s32[4,3] parameter(0)\n  y.sp1 = s32[3] parameter(1)\n"
      "  b.sx0 = s32[4,3] broadcast(y.sp1), dimensions={1}\n  ROOT a.sr = s32[4,3] add(x.sp0, b.sx0)\n}\n\n";
  WorldProgram call = op({"s32[4,3]", "s32[3]"}, "s32[4,3]", "call(p0, p1), to_apply=sum");
  call.computations = sum;
  out.push_back(call);
  // Twice, with other shardings.
  call.lines =
      "  p0 = s32[4,3] parameter(0)\n  p1 = s32[3] parameter(1)\n  c.sx1 = s32[4,3] call(p0, p1), to_apply=sum\n"
      "  ROOT r = s32[4,3] call(c.sx1, p1), to_apply=sum\n";
  out.push_back(call);
  WorldProgram fused = op({"s32[4,3]", "s32[3]"}, "s32[4,3]", "fusion(p0, p1), kind=kLoop, calls=sum");
  fused.computations =
      "sum {\n  x = s32[4,3] parameter(0)\n  y = s32[3] parameter(1)\n"
      "  b = s32[4,3] broadcast(y), dimensions={1}\n  ROOT a = s32[4,3] add(x, b)\n}\n\n";
  out.push_back(fused);
}

void add_tuples(Worlds& out) {
  out.push_back(op({"s32[4,3]", "s32[5]", "s32[]"}, "(s32[4,3], s32[5], s32[])", "tuple(p0, p1, p2)"));
  out.push_back(op({"s32[4,3]", "s32[5]"}, "s32[5]", "get-tuple-element(t.sx0), index=1",
                   "  t.sx0 = (s32[4,3], s32[5]) tuple(p0, p1)\n"));
  out.push_back(op({"s32[4,3]"}, "s32[4,3]", "opt-barrier(p0)"));
  out.push_back(op({"s32[4,3]", "s32[5]"}, "s32[4,3]", "get-tuple-element(b.sx0), index=0",
                   "  t.sx1 = (s32[4,3], s32[5]) tuple(p0, p1)\n"
                   "  b.sx0 = (s32[4,3], s32[5]) opt-barrier(t.sx1)\n"));
  out.push_back(op({"s32[5,3]"}, "s32[5,3]", "copy(p0)"));
  out.push_back(op({"s32[5,3]"}, "s32[5,3]", "add-dependency(p0, t)", "  t = token[] after-all()\n"));
  out.push_back(op({"s32[5,3]"}, "s32[5,3]",
                   "domain(p0), domain={kind=\"sharding\", entry={replicated}, "
                   "exit={replicated}}"));
  out.push_back(op({}, "s32[2,3]", "constant({{1, 2, 3}, {4, 5, 6}})"));
  out.push_back(op({}, "f32[5]", "constant({1, 2, 3, 4, 5})"));
  out.push_back(op({}, "u32[5,2]", "broadcast(d.sx0), dimensions={}", "  d.sx0 = u32[] replica-id()\n"));
}

void add_random(Worlds& out) {
  for (const char* algorithm : {"rng_default", "rng_three_fry", "rng_philox"})
    out.push_back(op({"u64[2]"}, "(u64[2], u32[5,3])", std::string("rng-bit-generator(p0), algorithm=") + algorithm));
  // Between bounds that are equal every draw is the same, whoever draws: what is left is how pieces are put together.
  out.push_back(op({"s32[]"}, "s32[5,3]", "rng(p0, p0), distribution=rng_uniform"));
  out.push_back(op({"f32[]"}, "f32[5]", "rng(p0, p0), distribution=rng_uniform"));
}

}  // namespace

void add_control(Worlds& out) {
  add_loops(out);
  add_branches(out);
  add_computations(out);
  add_tuples(out);
  add_random(out);
}

void add_calls(Worlds& out) {
  out.push_back(
      op({"f32[3,5]"}, "(f32[3,2], s32[3,2])", "custom-call(p0), custom_call_target=\"TopK\"", "", WorldInputs::wild));
  out.push_back(op({"f32[3,5]"}, "(f32[3,2], s32[3,2])", "topk(p0), k=2, largest=true", "", WorldInputs::wild));
  out.push_back(op({"f32[5]"}, "(f32[3], s32[3])", "topk(p0), k=3, largest=false", "", WorldInputs::wild));
  for (const char* target : {"MoveToHost", "MoveToDevice", "LayoutConstraint", "annotate_device_placement"})
    out.push_back(op({"s32[5,3]"}, "s32[5,3]", std::string("custom-call(p0), custom_call_target=\"") + target + "\""));
  out.push_back(op({"f32[4,3,3]"}, "(f32[4,3,3], s32[4])",
                   "custom-call(p0), custom_call_target=\"lapack_spotrf_ffi\", api_version=API_VERSION_TYPED_FFI, "
                   "frontend_attributes={num_batch_dims=\"1\"}, backend_config={uplo = 76 : ui8}",
                   "", WorldInputs::large_diagonal));
  out.push_back(op({"f32[2,3,3]"}, "(f32[2,3,3], s32[2,3], s32[2])",
                   "custom-call(p0), custom_call_target=\"lapack_sgetrf_ffi\", api_version=API_VERSION_TYPED_FFI, "
                   "frontend_attributes={num_batch_dims=\"1\"}",
                   "", WorldInputs::large_diagonal));
  out.push_back(op({"f32[3,3]"}, "(f32[3,3], s32[3], s32[])",
                   "custom-call(p0), custom_call_target=\"lapack_sgetrf_ffi\", api_version=API_VERSION_TYPED_FFI", "",
                   WorldInputs::large_diagonal));
}

}  // namespace sw::test
