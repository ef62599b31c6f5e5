/** The board that one sees as a picture of its own: its shapes and tones travel with it. */

const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'stop-color',
  'stop-opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
];

/** A copy whose looks stand in attributes, since no style sheet goes along. */
function dressed(node: Element): Element {
  const copy = node.cloneNode(true) as Element;
  const originals = [node, ...node.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((each, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const look of LOOKS) each.setAttribute(look, style.getPropertyValue(look));
    for (const gone of ['class', 'style', 'tabindex', 'role', 'aria-roledescription']) each.removeAttribute(gone);
  });
  return copy;
}

/** The board as the text of an SVG file, on the page's own ground. */
export function asSvg(board: SVGSVGElement): string {
  const copy = dressed(board);
  const [x, y, width, height] = board.getAttribute('viewBox')!.split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width!);
  copy.setAttribute('height', height!);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  Object.entries({ x, y, width, height, fill: getComputedStyle(document.documentElement).backgroundColor }).forEach(
    ([name, value]) => ground.setAttribute(name, value!),
  );
  copy.prepend(dressed(document.querySelector('svg.defs > defs')!), ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The same as pixels. */
export async function asPng(board: SVGSVGElement): Promise<Blob> {
  const source = URL.createObjectURL(new Blob([asSvg(board)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    return await new Promise((made, failed) =>
      canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error('no picture')))),
    );
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** Hands a file to the person. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
