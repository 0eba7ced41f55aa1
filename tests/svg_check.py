#!/usr/bin/env python3
"""Pictures can be read: every SVG in the goldens and in the folders given is valid, renders without warnings, and no text
of it lies on another, leaves its card, or leaves the picture.

  svg_check.py GOLDEN_FOLDER [FOLDER...]      exit 0; 1 with what is wrong; 77 when a tool or font is missing

Texts are measured with the letters of DejaVu Sans, read from its files (Debian: fonts-dejavu-core), and pictures are
rendered with rsvg-convert (librsvg2-bin). An animated picture is checked as it stands at rest.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

FONTS = pathlib.Path('/usr/share/fonts/truetype/dejavu')
SVG = '{http://www.w3.org/2000/svg}'
ALLOWED = {'svg', 'title', 'desc', 'style', 'defs', 'rect', 'text', 'g', 'path', 'circle', 'marker', 'pattern'}
SLACK = 1.0  # pixels that boxes may share


class Font:
  """Advance widths of a TrueType file, as shares of the em."""

  def __init__(self, path):
    data = path.read_bytes()
    tables = {}
    for i in range(struct.unpack('>H', data[4:6])[0]):
      tag, _, offset, _ = struct.unpack('>4sIII', data[12 + 16 * i:28 + 16 * i])
      tables[tag.decode()] = offset
    self.em = struct.unpack('>H', data[tables['head'] + 18:tables['head'] + 20])[0]
    metrics = struct.unpack('>H', data[tables['hhea'] + 34:tables['hhea'] + 36])[0]
    self.advance = lambda glyph: struct.unpack_from('>H', data, tables['hmtx'] + 4 * min(glyph, metrics - 1))[0]
    self.glyphs = {}
    base = tables['cmap']
    for i in range(struct.unpack_from('>H', data, base + 2)[0]):
      at = base + struct.unpack_from('>HHI', data, base + 4 + 8 * i)[2]
      if struct.unpack_from('>H', data, at)[0] == 4:
        self.read_segments(data, at)

  def read_segments(self, data, at):
    count = struct.unpack_from('>H', data, at + 6)[0] // 2
    ends = struct.unpack_from(f'>{count}H', data, at + 14)
    starts = struct.unpack_from(f'>{count}H', data, at + 16 + 2 * count)
    deltas = struct.unpack_from(f'>{count}h', data, at + 16 + 4 * count)
    offsets = struct.unpack_from(f'>{count}H', data, at + 16 + 6 * count)
    for i in range(count):
      for code in range(starts[i], min(ends[i], 0xfffe) + 1):
        glyph = code
        if offsets[i]:
          glyph = struct.unpack_from('>H', data, at + 16 + 6 * count + 2 * i + offsets[i] + 2 * (code - starts[i]))[0]
        if glyph or not offsets[i]:
          self.glyphs.setdefault(code, (glyph + deltas[i]) & 0xffff)

  def width(self, text):
    return sum(self.advance(self.glyphs[ord(c)]) / self.em if ord(c) in self.glyphs else 1.0 for c in text)


def styles(root):
  """Class -> (font size, face), and the classes that are not seen at rest."""
  sheet = ''.join(e.text or '' for e in root.iter(SVG + 'style'))
  sheet = re.sub(r'@media \(prefers-color-scheme:dark\)\{\n.*?\n\}\n', '', sheet, flags=re.S)
  looks, hidden = {}, set()
  for name, body in re.findall(r'\.([\w-]+)\{([^}]*)\}', sheet):
    size = re.search(r'font-size:([\d.]+)px', body)
    if size:
      looks[name] = (float(size[1]), 'mono' if 'monospace' in body else 'bold' if 'bold' in body else 'sans')
    if 'opacity:0;' in body:
      hidden.add(name)
  return looks, hidden


def texts(root, fonts):
  """(text, box, box of its card or None) of every text that is seen."""
  looks, hidden = styles(root)
  found = []

  def walk(element, card, seen):
    if element.tag in (SVG + 'defs', SVG + 'title', SVG + 'desc', SVG + 'style'):
      return
    classes = element.get('class', '').split()
    seen = seen and not hidden & set(classes)
    if element.tag == SVG + 'text' and seen:
      size, face = next((looks[c] for c in classes if c in looks), (11.0, 'sans'))
      text = re.sub(r'\s+', ' ', element.text or '').strip()
      width = 0.602 * size * len(text) if face == 'mono' else fonts[face].width(text) * size
      x, y = float(element.get('x')), float(element.get('y'))
      x -= {'middle': width / 2, 'end': width}.get(element.get('text-anchor'), 0)
      found.append((text, (x, y - 0.72 * size, x + width, y + 0.2 * size), card))
    own = card
    for child in element:
      if child.tag == SVG + 'rect' and 'card' in child.get('class', '').split() and element.tag == SVG + 'g':
        own = tuple(float(child.get(k, 0)) for k in ('x', 'y', 'width', 'height'))
        own = (own[0], own[1], own[0] + own[2], own[1] + own[3])
      walk(child, own, seen)

  walk(root, None, True)
  return found


def overlap(a, b):
  return min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK


def faults(svg, fonts):
  try:
    root = ET.fromstring(svg)
  except ET.ParseError as error:
    return [f'not XML: {error}']
  out = [f'element {e.tag}' for e in root.iter() if e.tag.removeprefix(SVG) not in ALLOWED]
  out += [f'attribute {k}' for e in root.iter() for k in e.attrib if k.startswith('on') or k.endswith('href')]
  width, height = float(root.get('width')), float(root.get('height'))
  found = sorted(texts(root, fonts), key=lambda t: t[1][0])
  for i, (text, box, card) in enumerate(found):
    if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height:
      out.append(f'{text!r} leaves the picture')
    if card and text and overlap(box, card) and (box[0] < card[0] or box[2] > card[2] + SLACK or box[3] > card[3] + SLACK):
      out.append(f'{text!r} leaves its card')
    for other, other_box, _ in found[i + 1:]:
      if other_box[0] >= box[2]:
        break
      if overlap(box, other_box):
        out.append(f'{text!r} lies on {other!r}')
  done = subprocess.run(['rsvg-convert'], input=svg.encode(), capture_output=True, check=False)
  if done.returncode or done.stderr:
    out.append(f'rsvg-convert: {done.stderr.decode(errors="replace").strip() or done.returncode}')
  return out


def pictures(folder):
  """(name, text) of every SVG of a folder, and of every one that a golden file expects."""
  for path in sorted(folder.iterdir()):
    if path.suffix == '.svg':
      yield path.name, path.read_text(encoding='utf-8')
    elif path.suffix == '.mlir':
      for run in re.split(r'^// ==== ', path.read_text(encoding='utf-8'), flags=re.M)[1:]:
        lines = run.split('\n')
        body = '\n'.join(line[5:] for line in lines if line.startswith('// |')) + '\n'
        if body.startswith('<?xml'):
          yield f'{path.name}: {lines[0]}', body


def self_test(fonts):
  """A check that finds nothing in a bad picture would be none."""
  head = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40">'
  bad = {'lies on': '<text x="5" y="20">abcdef</text><text x="10" y="20">ghi</text>',
         'leaves the picture': '<text x="80" y="20">abcdefgh</text>',
         'leaves its card': '<g><rect class="card" x="2" y="2" width="20" height="30"/><text x="5" y="20">abcdef</text></g>',
         'element': '<script/>', 'attribute': '<g onclick="x"/>', 'not XML': '<g>'}
  for words, body in bad.items():
    if not any(words in fault for fault in faults(head + body + '</svg>', fonts)):
      sys.exit(f'svg_check.py: self-test failed: {words}')
  good = head + '<text x="5" y="20">abc</text><text x="5" y="36">ghi</text></svg>'
  if faults(good, fonts):
    sys.exit(f'svg_check.py: self-test failed: {faults(good, fonts)}')


def main():
  try:
    fonts = {'sans': Font(FONTS / 'DejaVuSans.ttf'), 'bold': Font(FONTS / 'DejaVuSans-Bold.ttf')}
  except OSError as error:
    print(f'svg_check.py: {error} (Debian: fonts-dejavu-core)', file=sys.stderr)
    sys.exit(77)
  if not shutil.which('rsvg-convert'):
    print('svg_check.py: rsvg-convert is not there (Debian: librsvg2-bin)', file=sys.stderr)
    sys.exit(77)
  self_test(fonts)
  count = wrong = 0
  for folder in sys.argv[1:]:
    for name, svg in pictures(pathlib.Path(folder)):
      count += 1
      for fault in faults(svg, fonts):
        print(f'{name}: {fault}')
        wrong += 1
  print(f'{count} pictures, {wrong} faults')
  sys.exit(1 if wrong or not count else 0)


if __name__ == '__main__':
  main()
