"""The Python environment with jax that the recording scripts run in.

jax stays out of the tool and out of its tests; only scripts that ask the real partitioners need it. They call
`ensure_jax()` first: it keeps the running Python if that has the pinned jax, else makes `.venv` in the repository
root (ignored by git), installs the pinned jax there, and starts the script again inside it.
"""
import importlib.metadata
import os
import pathlib
import subprocess
import sys

JAX_VERSION = '0.10.2'  # the jaxlib whose Shardy and GSPMD the tool is compared with
ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / '.venv'


def has_jax() -> bool:
  try:
    return all(importlib.metadata.version(name) == JAX_VERSION for name in ('jax', 'jaxlib'))
  except importlib.metadata.PackageNotFoundError:
    return False


def ensure_jax() -> None:
  """Returns only in a Python that has the pinned jax; may replace the running process."""
  if has_jax():
    return
  python = VENV / 'bin' / 'python'
  if pathlib.Path(sys.prefix).resolve() == VENV.resolve():
    sys.exit(f'error: {VENV} lacks jax {JAX_VERSION}; remove that folder and try again')
  if not python.exists():
    print(f'making {VENV} with jax {JAX_VERSION} (about 500 MB, once)', file=sys.stderr)
    made = subprocess.run([sys.executable, '-m', 'venv', str(VENV)])
    if made.returncode:
      sys.exit('error: could not make a virtual environment; on Debian: apt-get install python3-venv')
  version = subprocess.run([python, '-c', 'import importlib.metadata as m; print(m.version("jax"))'],
                           capture_output=True, text=True)
  if version.stdout.strip() != JAX_VERSION:
    installed = subprocess.run([python, '-m', 'pip', 'install', '--quiet', f'jax=={JAX_VERSION}',
                                f'jaxlib=={JAX_VERSION}'], stdout=sys.stderr)
    if installed.returncode:
      sys.exit(f'error: pip could not install jax {JAX_VERSION} into {VENV}')
  os.execv(python, [str(python), *sys.argv])


def force_devices(count: int) -> None:
  """Gives jax `count` made-up CPU devices. To be called before jax is imported."""
  if 'jax' in sys.modules:
    raise RuntimeError('force_devices() after jax was imported has no effect')
  os.environ['JAX_PLATFORMS'] = 'cpu'
  os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '1')  # no list of the made-up devices
  flags = [f for f in os.environ.get('XLA_FLAGS', '').split() if 'host_platform_device_count' not in f]
  os.environ['XLA_FLAGS'] = ' '.join([*flags, f'--xla_force_host_platform_device_count={count}'])
