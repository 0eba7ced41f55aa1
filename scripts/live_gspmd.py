"""Asks the XLA inside jaxlib: compiles a lowered program for made-up CPU devices and reads the passes from XLA's dump.

GSPMD cannot be called alone from Python, and Shardy not with what XLA does to a program before it, so a whole
compilation runs for each program (about a second; the code generator is told not to try). `Compiler.propagate` returns
the HLO before GSPMD's propagation and, for every instruction that is there before and after and has a sharding after,
its name, opcode and sharding. `Compiler.decide` answers for either partitioner, by the lines of the lowered text.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

_INSTRUCTION = re.compile(r'^\s+(?:ROOT )?%?(\S+) = (?:\([^=]*?\)|\S+) ([\w-]+)\((.*)$', re.M)
_SHARDING = re.compile(r'[ ,]sharding=(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})')


class NotPartitioned(Exception):
  """The compiler ran no propagation: it refused the program, or the program is for one device."""


def shardings(hlo: str) -> dict[str, tuple[str, str | None]]:
  """Instruction name -> (opcode, sharding as written or None)."""
  found = {}
  for match in _INSTRUCTION.finditer(hlo):
    sharding = _SHARDING.search(match[3])
    found[match[1]] = (match[2], sharding and sharding[1])
  return found


def decided(before: str, after: str) -> list[list[str]]:
  names = shardings(before)
  return [[name, op, sharding] for name, (op, sharding) in shardings(after).items() if sharding and name in names]


def without_metadata(hlo: str) -> str:
  hlo = re.sub(r', metadata=\{[^}]*\}', '', hlo)
  hlo = re.sub(r'\n(FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d+ .*\n)+', '\n', hlo)
  return re.sub(r'\n{3,}', '\n\n', hlo)


def _main_attributes(module) -> tuple[list, list]:
  """The attribute dictionaries of the arguments and of the results of the main function."""
  from jaxlib.mlir import ir
  main = next(o.operation for o in module.body.operations if o.operation.name == 'func.func' and
              ir.StringAttr(o.operation.attributes['sym_name']).value == 'main')
  kind = ir.FunctionType(ir.TypeAttr(main.attributes['function_type']).value)

  def of(name: str, count: int) -> list:
    if name not in main.attributes:
      return [{}] * count
    return [ir.DictAttr(a) for a in ir.ArrayAttr(main.attributes[name])]

  return of('arg_attrs', len(kind.inputs)), of('res_attrs', len(kind.results))


def outputs(hlo: str) -> list[str | None]:
  """The sharding of each result of the entry computation."""
  root = re.search(r'^  ROOT %?\S+ = (.*)$', hlo[hlo.index('\nENTRY '):], re.M)[1]
  sharding = _SHARDING.search(root)
  if not root.startswith('('):
    return [sharding and sharding[1]]
  count = len(re.findall(r'\w+\[', re.match(r'\(.*?\) [\w-]+\(', root)[0]))
  text = re.sub(r'/\*.*?\*/', '', sharding[1]) if sharding else ''
  parts = re.findall(r'\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}', text[1:-1]) if text.startswith('{{') else [text or None]
  return parts * count if len(parts) == 1 else parts


# A location becomes the name `line:NUMBER`, which XLA keeps as the name of the op through all passes.
_LOCATION = re.compile(r'loc\("[^"]*":(\d+):\d+\)')
_NAMED_LINE = re.compile(r'metadata=\{[^}]*op_name="(?:[^"]*/)?line:(\d+)"')


def _with_named_lines(text: str) -> str:
  """The module with each op's line as its location; `text` is without locations."""
  from jax._src.interpreters import mlir
  from jaxlib.mlir import ir
  with mlir.make_ir_context():
    located = ir.Module.parse(text).operation.get_asm(enable_debug_info=True)
  return _LOCATION.sub(r'loc("line:\1")', located)


_DIMS = re.compile(r' = \w+\[([\d,]*)\]')


def by_line(hlo: str) -> dict[int, list[tuple[str, list[int] | None, str | None]]]:
  """(opcode, dims unless a tuple, sharding) of each instruction that came of a line, after _with_named_lines."""
  found: dict[int, list] = {}
  for match in _INSTRUCTION.finditer(hlo):
    line, sharding = _NAMED_LINE.search(match[3]), _SHARDING.search(match[3])
    if line:
      dims = _DIMS.search(match[0])
      sizes = [int(size) for size in dims[1].split(',') if size] if dims else None
      found.setdefault(int(line[1]), []).append((match[2], sizes, sharding and sharding[1]))
  return found


def _compile(text: str, shardy: bool) -> None:
  import jax
  from jax._src.interpreters import mlir
  from jax._src.lib import xla_client
  from jaxlib.mlir import ir
  with mlir.make_ir_context():
    module = ir.Module.parse(text)
    count = ir.IntegerAttr(module.operation.attributes['mhlo.num_partitions']).value
    options = xla_client.CompileOptions()
    options.num_partitions = count
    build = options.executable_build_options
    build.num_partitions, build.use_spmd_partitioning, build.use_shardy_partitioner = count, True, shardy
    given, taken = _main_attributes(module)
    name = 'sdy.sharding' if shardy else 'mhlo.sharding'
    build.allow_spmd_sharding_propagation_to_parameters = [name not in a for a in given]
    build.allow_spmd_sharding_propagation_to_output = [name not in a for a in taken]
    devices = xla_client.DeviceList(tuple(jax.devices()[:count]))
    jax.devices()[0].client.compile_and_load(module, devices, options)


class Compiler:
  """A context manager that owns a dump folder and a worker process: some programs bring XLA's later passes down."""

  def __init__(self, devices: int):
    self.devices, self.dump, self.worker = devices, tempfile.mkdtemp(), None

  def __enter__(self) -> 'Compiler':
    return self

  def __exit__(self, *_) -> None:
    self._stop()
    shutil.rmtree(self.dump, ignore_errors=True)

  def _stop(self) -> None:
    if self.worker:
      self.worker.stdin.close()
      self.worker.wait()
      self.worker.stdout.close()
    self.worker = None

  def _start(self) -> None:
    flags = (f'--xla_dump_to={self.dump} --xla_dump_hlo_as_text --xla_dump_hlo_pass_re=spmd|shard '
             '--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true')
    self.worker = subprocess.Popen([sys.executable, __file__, str(self.devices)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   env=dict(os.environ, XLA_FLAGS=flags))

  def _ask_worker(self, text: str, shardy: bool) -> str:
    if not self.worker:
      self._start()
    try:
      self.worker.stdin.write(json.dumps([text, shardy]) + '\n')
      self.worker.stdin.flush()
      answer = self.worker.stdout.readline()
    except BrokenPipeError:
      answer = ''
    if not answer:
      with contextlib.suppress(BrokenPipeError):
        self._stop()
      self.worker = None
    return answer.strip() or 'the compiler crashed'

  def _passes(self, text: str, shardy: bool) -> tuple[str, str, str | None]:
    """The HLO before and after the pass that propagates, and after the one that partitions."""
    answer = self._ask_worker(text, shardy)
    name = 'shardy-xla' if shardy else 'sharding-propagation'
    dumps = sorted(pathlib.Path(self.dump).glob('*'))
    passes = [p for p in dumps if '.spmd-partitioner.' in p.name and p.suffix == '.txt']
    before = [p for p in passes if not re.search(rf'after_({name}|spmd-partitioning)', p.name)]
    after = [p for p in passes if f'after_{name}' in p.name]
    try:
      if not before or not after:  # what happens after propagation does not matter
        raise NotPartitioned(answer)
      partitioned = [p for p in passes if 'after_spmd-partitioning' in p.name]
      return before[-1].read_text(), after[-1].read_text(), partitioned[-1].read_text() if partitioned else None
    finally:
      for file in dumps:
        shutil.rmtree(file) if file.is_dir() else file.unlink()

  def propagate(self, text: str) -> tuple[str, list[list[str]]]:
    """(HLO before propagation, [name, opcode, sharding] of every value that has one after it), of GSPMD."""
    before, after, _ = self._passes(text, False)
    before = without_metadata(before)
    return before, decided(before, after)

  def both(self, text: str) -> tuple[str, list[list[str]], list[str | None], dict[int, list[tuple[str, str | None]]]]:
    """What propagate() and decide() answer for GSPMD, of one compilation."""
    before, after, _ = self._passes(_with_named_lines(text), False)
    return without_metadata(before), decided(before, after), outputs(after), by_line(after)

  def decide(self, text: str, partitioner: str) -> tuple[list[str | None], dict[int, list[tuple[str, str | None]]]]:
    """(the sharding of each result, what came of each line) of a program lowered for that partitioner."""
    _, after, _ = self._passes(_with_named_lines(text), partitioner == 'shardy')
    return outputs(after), by_line(after)

  def partition(self, text: str, partitioner: str) -> tuple[str, str]:
    """(HLO after propagation, HLO after partitioning), ops named after the lines of the lowered text."""
    _, after, partitioned = self._passes(_with_named_lines(text), partitioner == 'shardy')
    if partitioned is None:
      raise NotPartitioned('no partitioned module')
    return after, partitioned


def timed_propagation(text: str) -> tuple[float, str]:
  """(seconds of GSPMD's propagation pass, the HLO before it). The time between XLA's dumps before and after the pass,
  less what printing a module of that size takes; the compilation is not waited for."""
  from jaxlib import _hlo
  with Compiler(256) as compiler:
    compiler._start()
    compiler.worker.stdin.write(json.dumps([text, False]) + '\n')
    compiler.worker.stdin.flush()
    found: dict[str, pathlib.Path] = {}
    while len(found) < 2 or time.time() - found['after'].stat().st_mtime < 1:
      if compiler.worker.poll() is not None:
        raise NotPartitioned('the compiler crashed')
      time.sleep(0.2)
      for path in pathlib.Path(compiler.dump).glob('*.spmd-partitioner.*.txt'):
        if 'before_sharding-propagation' in path.name or 'after_sharding-propagation' in path.name:
          found['after' if 'after_sharding-propagation' in path.name else 'before'] = path
    seconds = found['after'].stat().st_mtime - found['before'].stat().st_mtime
    before, after = found['before'].read_text(), found['after'].read_text()
    compiler.worker.kill()
    compiler.worker.wait()
    compiler.worker.stdout.close()
    compiler.worker = None
  module = _hlo.hlo_module_from_text(after)
  start = time.perf_counter()
  module.to_string()
  return seconds - (time.perf_counter() - start), before


def _work() -> None:
  """The worker: a program a line on standard input, as JSON; an answer a line."""
  from jax_env import force_devices
  force_devices(int(sys.argv[1]))
  for line in sys.stdin:
    try:
      _compile(*json.loads(line))
      print('compiled', flush=True)
    except Exception as error:  # whatever XLA or the bindings refuse
      print(f'{type(error).__name__}: {error}'.replace('\n', ' ')[:300], flush=True)


if __name__ == '__main__':
  _work()
