// Documents for uploads: JATS, packages, pictures.
import { crc32, deflateSync } from 'node:zlib';

const NAMESPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"';

/** A JATS article, with a DOI of its own unless one is given. */
export const article = ({ doi = `10.5555/${freshWord()}`, title = 'Attack', front = '', body = '<p>x</p>', back = '', doctype = '' }) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}<article ${NAMESPACES} xml:lang="en"><front><article-meta>` +
  `<article-id pub-id-type="doi">${doi}</article-id><title-group><article-title>${title}</article-title></title-group>` +
  `<pub-date><day>1</day><month>2</month><year>2026</year></pub-date>${front}</article-meta></front><body>${body}</body>${back}</article>`;

/** A tar archive of { name: content }. */
export function tar(files) {
  const parts = [];
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        0', 148);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    parts.push(header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** A grey picture in PNG; `shade` makes its bytes unlike those of others. */
export function png(width, height, shade = 128) {
  const chunk = (type, data) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const row = Buffer.alloc(width + 1, shade);
  row[0] = 0;
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** Entity definitions that expand to `10 ** levels` times the text (billion laughs). */
export const laughs = (root, levels = 9) => {
  const entities = Array.from({ length: levels }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
  return `<!DOCTYPE ${root} [<!ENTITY l0 "ha">${entities.join('')}]>`;
};

/** A word that occurs nowhere else: letters only, so that search takes it for one word. */
export const freshWord = () => `q${Array.from({ length: 10 }, () => 'abcdefghij'[Math.floor(Math.random() * 10)]).join('')}`;
