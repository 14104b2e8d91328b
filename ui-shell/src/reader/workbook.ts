/*
 * A table as a workbook of Office Open XML (.xlsx): a ZIP archive without compression of six small XML files, written without a library. Spreadsheets
 * open it without the warning that they show for older formats under the ending .xls.
 */
import { noteTexts, sheetOf } from './tableData.ts';

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Places of the formats in `styles`; numbers with n digits after the point have NUMBER + n. */
const TITLE = 1;
const HEAD = 2;
const TEXT = 3;
const NUMBER = 4;
const MOST_DECIMALS = 9;

const escape = (text: string) =>
  text
    // Characters that XML does not have.
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** The name of a column: A, B, ..., Z, AA. */
export function columnName(x: number): string {
  return (x >= 26 ? columnName(Math.floor(x / 26) - 1) : '') + String.fromCharCode(65 + (x % 26));
}

const place = (x: number, y: number) => `${columnName(x)}${y + 1}`;
const inline = (x: number, y: number, style: number, said: string) =>
  `<c r="${place(x, y)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escape(said)}</t></is></c>`;
const row = (y: number, cells: string) => `<row r="${y + 1}">${cells}</row>`;

function styles(): string {
  const decimals = Array.from({ length: MOST_DECIMALS + 1 }, (_, digits) => digits);
  const numbers = decimals.map((digits) => `<numFmt numFmtId="${164 + digits}" formatCode="0${digits ? `.${'0'.repeat(digits)}` : ''}"/>`);
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
  const format = (number: number, bold: 0 | 1, line: 0 | 1, alignment: string) =>
    `<xf numFmtId="${number}" fontId="${bold}" fillId="0" borderId="${line}" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1" applyAlignment="1"><alignment ${alignment}/></xf>`;
  const formats = [
    format(0, 0, 0, 'vertical="bottom"'),
    format(0, 1, 0, 'vertical="bottom"'),
    format(0, 1, 1, 'vertical="bottom" wrapText="1"'),
    format(0, 0, 0, 'vertical="top" wrapText="1"'),
    ...decimals.map((digits) => format(164 + digits, 0, 0, 'vertical="top"')),
  ];
  const count = (tag: string, parts: readonly string[]) => `<${tag} count="${parts.length}">${parts.join('')}</${tag}>`;
  const fill = (kind: string) => `<fill><patternFill patternType="${kind}"/></fill>`;
  const border = (bottom: string) => `<border><left/><right/><top/><bottom${bottom}/><diagonal/></border>`;
  return `${HEADER}<styleSheet xmlns="${NAMESPACE}">${count('numFmts', numbers)}${count('fonts', [font(''), font('<b/>')])}${count('fills', [fill('none'), fill('gray125')])}${count('borders', [border(''), border(' style="thin"')])}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>${count('cellXfs', formats)}</styleSheet>`;
}

/** The sheet: the caption, the table with its spans, the notes, and where it comes from. */
function worksheet(table: HTMLTableElement, marksTitle: string, about: readonly string[], source: readonly string[]): string {
  const { rows, head } = sheetOf(table, marksTitle);
  const lines: string[] = about.map((said, y) => row(y, inline(0, y, y ? 0 : TITLE, said)));
  const top = lines.length;
  const widths: number[] = [];
  const merged: string[] = [];
  rows.forEach((cells, at) => {
    const y = top + at;
    const made = cells.map(({ text, number, cell }, x) => {
      if (cell && !cell.own) return '';
      const covers = (column: number, line: number) => cell !== undefined && rows[line]?.[column]?.cell?.source === cell.source;
      let [right, bottom] = [x, at];
      while (covers(right + 1, at)) right += 1;
      while (covers(x, bottom + 1) && covers(right, bottom + 1)) bottom += 1;
      if (right > x || bottom > at) merged.push(`${place(x, y)}:${place(right, top + bottom)}`);
      if (right === x) widths[x] = Math.max(widths[x] ?? 8, Math.min(40, text.length + 2));
      // A spreadsheet keeps 15 digits of a number.
      if (number === undefined || number.replace(/\D/g, '').length > 15) return inline(x, y, at < head ? HEAD : TEXT, text);
      const decimals = Math.min(MOST_DECIMALS, number.split('.')[1]?.length ?? 0);
      return `<c r="${place(x, y)}" s="${/e/i.test(number) ? TEXT : NUMBER + decimals}"><v>${number.replace(/^\+/, '')}</v></c>`;
    });
    lines.push(row(y, made.join('')));
  });
  // An empty row before the notes.
  const below = top + rows.length + 1;
  [...noteTexts(table), ...source].forEach((said, at) => lines.push(row(below + at, inline(0, below + at, 0, said))));
  const columns = Array.from(widths, (width, x) => `<col min="${x + 1}" max="${x + 1}" width="${width ?? 8}" customWidth="1"/>`).join('');
  const frozen = head ? `<pane ySplit="${top + head}" topLeftCell="A${top + head + 1}" activePane="bottomLeft" state="frozen"/>` : '';
  const merges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  return `${HEADER}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>${columns && `<cols>${columns}</cols>`}<sheetData>${lines.join('')}</sheetData>${merges && `<mergeCells count="${merged.length}">${merges}</mergeCells>`}</worksheet>`;
}

const CHECKS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let check = byte;
  for (let bit = 0; bit < 8; bit += 1) check = check & 1 ? 0xedb88320 ^ (check >>> 1) : check >>> 1;
  return check;
});

function crc32(bytes: Uint8Array): number {
  let check = 0xffffffff;
  for (const byte of bytes) check = (CHECKS[(check ^ byte) & 255] ?? 0) ^ (check >>> 8);
  return (check ^ 0xffffffff) >>> 0;
}

/** A ZIP archive of files that are stored as they are, all of 1 January 1980, so that the same table gives the same file. */
export function zip(files: readonly (readonly [name: string, content: string])[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const record = (...fields: (readonly [bytes: 2 | 4, value: number])[]) => {
    const made = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
    let offset = 0;
    for (const [bytes, value] of fields) {
      if (bytes === 2) made.setUint16(offset, value, true);
      else made.setUint32(offset, value, true);
      offset += bytes;
    }
    return new Uint8Array(made.buffer);
  };
  for (const [name, content] of files) {
    const [title, data] = [encoder.encode(name), encoder.encode(content)];
    const common = [
      [2, 20],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc32(data)],
      [4, data.length],
      [4, data.length],
      [2, title.length],
      [2, 0],
    ] as const;
    const local = record([4, 0x04034b50], ...common);
    parts.push(local, title, data);
    directory.push(record([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title);
    at += local.length + title.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]);
  const all = [...parts, ...directory, end];
  const made = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of all) {
    made.set(part, offset);
    offset += part.length;
  }
  return made;
}

/** A table as a workbook with one sheet: `about` stands above the table, `source` below its notes. */
export function toWorkbook(
  table: HTMLTableElement,
  name: string,
  texts: { marksTitle: string; about: readonly string[]; source: readonly string[] },
): Uint8Array<ArrayBuffer> {
  // What names of sheets may not contain, and their greatest length.
  const title =
    name
      .replace(/[[\]:*?/\\'\s]+/g, ' ')
      .trim()
      .slice(0, 31) || 'Table';
  const relation = (type: string, target: string, id: number) => `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (inner: string) => `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  const override = (part: string, type: string) =>
    `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  return zip([
    [
      '[Content_Types].xml',
      `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/worksheets/sheet1.xml', 'worksheet')}${override('/xl/styles.xml', 'styles')}</Types>`,
    ],
    ['_rels/.rels', relations(relation('officeDocument', 'xl/workbook.xml', 1))],
    [
      'xl/workbook.xml',
      `${HEADER}<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escape(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relations(relation('worksheet', 'worksheets/sheet1.xml', 1) + relation('styles', 'styles.xml', 2))],
    ['xl/worksheets/sheet1.xml', worksheet(table, texts.marksTitle, texts.about, texts.source)],
    ['xl/styles.xml', styles()],
  ]);
}
