"""Runs programs on made-up CPU devices of jaxlib: one that is for one device already, and the program it came from.

A partitioned program is compiled as one of as many replicas as it has partitions: to a compiler the two differ only in
how a device learns its number and in what collectives name, so its text is changed in those places; asked for
partitions, XLA would partition it once more.
"""
import re

import numpy as np

INTEGER_BITS = {'i4': 4, 'i8': 8, 'i16': 16, 'i32': 32, 'i64': 64, 'ui4': 4, 'ui8': 8, 'ui16': 16, 'ui32': 32, 'ui64': 64}


def numpy_type(element: str) -> np.dtype:
  """Of an element type as StableHLO spells it."""
  import ml_dtypes
  names = {'i1': np.bool_, 'f32': np.float32, 'f64': np.float64, 'f16': np.float16, 'bf16': ml_dtypes.bfloat16,
           'complex<f32>': np.complex64, 'complex<f64>': np.complex128}
  if element in names:
    return np.dtype(names[element])
  if element in INTEGER_BITS:
    name = element.replace('i', 'int')
    return np.dtype(getattr(np, name, None) or getattr(ml_dtypes, name))
  return np.dtype(getattr(ml_dtypes, element.lower().replace('f8', 'float8_')))


def random_array(random: np.random.Generator, element: str, shape: list[int]) -> np.ndarray:
  """Numbers of every kind that a program may read; whole ones small, so that as indices they are often inside."""
  kind = numpy_type(element)
  if element == 'i1':
    return np.asarray(random.random(shape) < 0.5)
  if element in INTEGER_BITS:
    return np.asarray(random.integers(0, min(6, 2**(INTEGER_BITS[element] - 1) - 1), shape)).astype(kind)
  if element.startswith('complex'):
    return (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(kind)
  return np.asarray(random.uniform(-1, 1, shape)).astype(kind)


class Cut:
  """How an array is cut over the devices."""

  def __init__(self, sharding, shape: list[int], devices: int):
    """`sharding`: one of XLA's, its text, or None."""
    from jaxlib import _hlo
    self.shape, self.devices = shape, devices
    self.tiles, self.tile_of = [1] * len(shape), [[0] * len(shape)] * devices
    if not sharding or not shape:
      return
    read = _hlo.HloSharding.from_string(sharding) if isinstance(sharding, str) else sharding
    if not read.is_tiled():
      return
    dims = list(read.tile_assignment_dimensions())
    self.tiles = dims[:len(shape)]
    grid = np.array(read.tile_assignment_devices()).reshape(dims)
    place = {int(device): list(index[:len(shape)]) for index, device in np.ndenumerate(grid)}
    self.tile_of = [place[d] for d in range(devices)]

  def piece_shape(self) -> list[int]:
    return [-(-extent // tiles) for extent, tiles in zip(self.shape, self.tiles)]

  def window(self, device: int) -> tuple[slice, ...]:
    sizes = self.piece_shape()
    return tuple(slice(min(t * size, extent), min((t + 1) * size, extent))
                 for t, size, extent in zip(self.tile_of[device], sizes, self.shape))

  def piece(self, array: np.ndarray, device: int, filler: np.ndarray) -> np.ndarray:
    """What lies beyond the end of the array is taken from `filler`: nobody may read it."""
    if not self.shape:
      return array
    out = filler.copy()
    part = array[self.window(device)]
    out[tuple(slice(0, n) for n in part.shape)] = part
    return out

  def difference(self, whole: np.ndarray, device: int, piece: np.ndarray) -> float:
    """Between what the device has and what it is to have."""
    wanted = whole[self.window(device)]
    return difference(wanted, piece[tuple(slice(0, n) for n in wanted.shape)])


def read(text: str):
  from jaxlib import _hlo
  return _hlo.hlo_module_from_text(text)


def computation(text: str) -> str:
  from jax._src.lib import _jax
  from jaxlib import _hlo
  module = read(text)
  return _jax.mlir.xla_computation_to_mlir_module(_hlo.XlaComputation(module.as_serialized_hlo_module_proto()))


def verify(text: str) -> None:
  """Through XLA's importer, which infers and checks the type of every operation."""
  computation(text)


def as_replicas(text: str) -> str:
  text = re.sub(r', (?:channel_id=\d+|use_global_device_ids=true|input_output_alias=\{.*?\) \}|buffer_donor=\{.*?\) \})',
                '', text)
  text = re.sub(r'num_partitions=(\d+)', r'replica_count=\1', text, count=1)
  return text.replace(' partition-id()', ' replica-id()')


def know_lapack() -> None:
  """Makes known to XLA what jax calls for linear algebra; without it such calls crash."""
  from jaxlib import lapack
  lapack.prepare_lapack_call('potrf_ffi', np.dtype(np.float32))


def compiled(module: str, replicas: int, partitions: int, shardy: bool):
  import jax
  from jax._src.lib import xla_client
  know_lapack()
  options = xla_client.CompileOptions()
  options.num_replicas, options.num_partitions = replicas, partitions
  build = options.executable_build_options
  build.num_replicas, build.num_partitions = replicas, partitions
  build.use_spmd_partitioning, build.use_shardy_partitioner = partitions > 1, shardy
  devices = xla_client.DeviceList(tuple(jax.devices()[:replicas * partitions]))
  return jax.devices()[0].client.compile_and_load(module, devices, options)


def execute(executable, arguments: list[list[np.ndarray]], devices: int) -> list[list[np.ndarray]]:
  """Of each result what each device has; `arguments` in the same form."""
  import jax
  given = []
  for pieces in arguments:
    shape = pieces[0].shape
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:devices]), ('d',))
    spec = jax.sharding.PartitionSpec('d') if shape else jax.sharding.PartitionSpec()
    whole = (devices * shape[0], *shape[1:]) if shape else ()
    parts = [jax.device_put(piece, device) for piece, device in zip(pieces, jax.devices())]
    given.append(jax.make_array_from_single_device_arrays(whole, jax.sharding.NamedSharding(mesh, spec), parts))
  results = executable.execute_sharded(given).disassemble_into_single_device_arrays()
  return [[np.asarray(piece) for piece in pieces] for pieces in results]


def run_partitioned(text: str, arguments: list[list[np.ndarray]], devices: int) -> list[list[np.ndarray]]:
  return execute(compiled(computation(as_replicas(text)), devices, 1, False), arguments, devices)


def run_whole(module: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
  """A StableHLO program without manual regions, on one device: its shardings mean nothing then."""
  module = re.sub(r'mhlo\.num_partitions = \d+', 'mhlo.num_partitions = 1', module)
  results = execute(compiled(module, 1, 1, False), [[a] for a in arguments], 1)
  return [pieces[0] for pieces in results]


def run_by_xla(module: str, arguments: list[np.ndarray], devices: int, shardy: bool) -> list[np.ndarray]:
  """A StableHLO program as XLA's own partitioner cuts it; whole results."""
  from jaxlib import _hlo
  executable = compiled(module, 1, devices, shardy)
  cuts = lambda shardings, arrays: [Cut(_hlo.HloSharding.from_proto(s), list(a), devices)
                                    for s, a in zip(shardings, arrays)]
  given = cuts(executable.get_parameter_shardings(), [a.shape for a in arguments])
  results = execute(executable, [[how.piece(a, d, np.zeros(how.piece_shape(), a.dtype)) for d in range(devices)]
                                  for a, how in zip(arguments, given)], devices)
  whole = []
  for pieces, sharding in zip(results, executable.get_output_shardings()):
    tiles = Cut(_hlo.HloSharding.from_proto(sharding), [1] * pieces[0].ndim, devices).tiles
    shape = [extent * count for extent, count in zip(pieces[0].shape, tiles)]  # with what lies beyond the end
    how, out = Cut(_hlo.HloSharding.from_proto(sharding), shape, devices), np.zeros(shape, pieces[0].dtype)
    for device, piece in enumerate(pieces):
      out[how.window(device)] = piece
    whole.append(out)
  return whole


def difference(wanted: np.ndarray, got: np.ndarray) -> float:
  """The largest difference in units of the largest number; of whole numbers 1 if any differs."""
  if wanted.shape != got.shape:
    return np.inf
  if wanted.dtype.kind in 'biu' or wanted.dtype.name in ('int4', 'uint4'):
    return float((wanted != got).any()) if wanted.size else 0.0
  kind = np.complex128 if wanted.dtype.kind == 'c' else np.float64
  wanted, got = wanted.astype(kind), got.astype(kind)
  same = (wanted == got) | (np.isnan(wanted) & np.isnan(got))
  if same.all():
    return 0.0
  finite = np.isfinite(wanted)
  if (finite != np.isfinite(got)).any():
    return np.inf
  scale = np.abs(wanted[finite]).max(initial=0) or 1.0
  return float(np.abs(np.where(same, 0, wanted - got)[finite]).max(initial=0) / scale)
