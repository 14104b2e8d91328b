/*
 * The content of tables as data: values without their footnote marks, for files and for sorting. Loaded when a reader asks for either.
 */

import { all, around, first, isPart, valueOf as partValue } from './parts.ts';
import { squeezed } from './tools.ts';

/** What a cell says, and the footnote marks at it. */
export interface Value {
  text: string;
  marks: string[];
}

interface Cell extends Value {
  source: HTMLTableCellElement;
  /** Whether this is the place of the cell itself, not one that its span covers. */
  own: boolean;
}

type Row = (Cell | undefined)[];

/** A table as rows that all have the same number of columns. */
export interface Grid {
  head: Row[];
  body: Row[];
  foot: Row[];
  width: number;
}

const SYMBOLS = /^[*†‡§¶‖#※]+$/;
const SUPER = new Map([...'0123456789+-−–=()ni'].map((letter, at) => [letter, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ'][at] as string]));
const SUB = new Map([...'0123456789+-−–=()'].map((letter, at) => [letter, [...'₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎'][at] as string]));
const BLOCK = /^(P|DIV|LI|UL|OL|DL|DT|DD|BR|FIGURE|BLOCKQUOTE|PRE)$/;
const several = (text: string) =>
  squeezed(text)
    .split(/[\s,，、;]+/)
    .filter(Boolean);

/** A raised or lowered text as letters of its own, so that 10<sup>3</sup> is not read as 103. */
function shifted(text: string, letters: Map<string, string>, sign: string): string {
  const plain = squeezed(text);
  // The endings of ordinal numbers stay as they are: 1st, 2e.
  if (!plain || (sign === '^' && /^(st|nd|rd|th|er|re|e|o|a)$/i.test(plain))) return plain;
  const all = [...plain].map((letter) => letters.get(letter));
  if (all.every((letter) => letter !== undefined)) return all.join('');
  return /^[\p{L}\p{N}]+$/u.test(plain) ? sign + plain : `${sign}(${plain})`;
}

/** The text and the footnote marks of a cell; `labels` are the marks before the table's notes. */
export function valueOf(cell: Element, labels: ReadonlySet<string>): Value {
  const marks: string[] = [];
  let text = '';
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) text += node.textContent ?? '';
    if (!(node instanceof Element) || node.matches('.table-sort, .mh-hidden, script, style, rp, annotation, annotation-xml')) return;
    if (['table-fn', 'fn'].includes(partValue(node, 'xref'))) return void marks.push(...several(node.textContent ?? ''));
    // A note within the cell: its mark stays, its text is not part of the value.
    if (isPart(node, 'note')) return void marks.push(...several(first(node, 'mark')?.textContent ?? '*'));
    if (node.matches('sup')) {
      const said = several(node.textContent ?? '');
      const isMark = (one: string) => SYMBOLS.test(one) || (labels.has(one) && !/^\d+$/.test(one));
      if (first(node, 'xref') || (said.length && said.every(isMark))) return void marks.push(...said);
      text += shifted(node.textContent ?? '', SUPER, '^');
      return;
    }
    if (node.matches('sub')) return void (text += shifted(node.textContent ?? '', SUB, '_'));
    if (node.matches('img')) return void (text += node.getAttribute('alt') ?? '');
    if (node.matches('rt')) return void (text += `(${node.textContent ?? ''})`);
    const latex = isPart(node, 'latex') && node.querySelector('msup, msub, msubsup, mfrac, msqrt, mroot, mtable') && partValue(node, 'latex');
    if (latex) return void (text += latex);
    const apart = BLOCK.test(node.tagName);
    if (apart) text += ' ';
    for (const child of node.childNodes) walk(child);
    if (apart) text += ' ';
  };
  for (const child of cell.childNodes) walk(child);
  text = squeezed(text);
  // Marks that are not raised: 0.34**
  const [, value, mark] = /^([^*†‡§¶]*\d[^*†‡§¶]*?)\s*([*†‡§¶]+)$/.exec(text) ?? [];
  if (value === undefined || mark === undefined) return { text, marks };
  return { text: value, marks: [mark, ...marks] };
}

function notesOf(table: HTMLTableElement): HTMLElement | null {
  const figure = around(table, 'table');
  return figure && first(figure, 'tableNotes');
}

function labelsOf(table: HTMLTableElement): Set<string> {
  const notes = notesOf(table);
  const labels = notes ? all(notes, 'mark') : [];
  return new Set([...labels].map((label) => squeezed(label.textContent ?? '').replace(/^[([]|[)\].]$/g, '')));
}

/** The texts of cells without their footnote marks. */
export function textsOf(table: HTMLTableElement, cells: readonly (Element | undefined)[]): string[] {
  const labels = labelsOf(table);
  return cells.map((cell) => (cell ? valueOf(cell, labels).text : ''));
}

/** Reads a table. Places that a span covers have the value of the spanning cell. */
function gridOf(table: HTMLTableElement): Grid {
  const labels = labelsOf(table);
  let width = 0;
  const section = (rows: HTMLTableRowElement[]): Row[] => {
    const grid: Row[] = rows.map(() => []);
    rows.forEach((row, y) => {
      let x = 0;
      for (const source of row.cells) {
        while (grid[y]?.[x]) x += 1;
        const value = valueOf(source, labels);
        // A span ends with its section; 0 means all of it.
        const rowSpan = Math.min(source.rowSpan || rows.length, rows.length - y);
        for (let dy = 0; dy < rowSpan; dy += 1)
          for (let dx = 0; dx < source.colSpan; dx += 1) (grid[y + dy] as Row)[x + dx] ??= { ...value, source, own: !dx && !dy };
        x += source.colSpan;
      }
      width = Math.max(width, grid[y]?.length ?? 0);
    });
    return grid;
  };
  return {
    head: section([...(table.tHead?.rows ?? [])]),
    body: [...table.tBodies].flatMap((body) => section([...body.rows])),
    foot: section([...(table.tFoot?.rows ?? [])]),
    width,
  };
}

/** The decimal sign of a language. */
const signOf = (lang: string): string => {
  try {
    return new Intl.NumberFormat(lang || 'en').formatToParts(1.5).find((part) => part.type === 'decimal')?.value === ',' ? ',' : '.';
  } catch {
    return '.';
  }
};

const DIGITS = '〇一二三四五六七八九';
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1000 };

/** A Chinese number as digits: 二〇二四, 十二, 三百零五. */
function chinese(text: string): number {
  const digits = [...text.replaceAll('零', '〇').replaceAll('两', '二')];
  if (digits.every((digit) => DIGITS.includes(digit))) return Number(digits.map((digit) => DIGITS.indexOf(digit)).join(''));
  let sum = 0;
  let part = 0;
  let digit = 0;
  for (const letter of digits) {
    const unit = UNITS[letter];
    if (unit) {
      part += (digit || 1) * unit;
      digit = 0;
    } else if (letter === '万' || letter === '亿') {
      sum = (sum + part + digit) * (letter === '万' ? 1e4 : 1e8);
      part = 0;
      digit = 0;
    } else digit = DIGITS.indexOf(letter);
  }
  return sum + part + digit;
}

/** Digits of other scripts as those of ASCII, with one kind of minus and of space. */
function ascii(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[\u2212\u2010-\u2013]/g, '-')
    .replace(/\s/g, ' ');
}

const patterns = new Map<string, RegExp>();
/** A number in which `sign` is the decimal sign and the other one may separate thousands. */
function pattern(sign: string): RegExp {
  const known = patterns.get(sign);
  if (known) return known;
  const [decimal, group] = sign === ',' ? [',', '.'] : ['\\.', ','];
  const made = new RegExp(`^[-+]?(?:[1-9]\\d{0,2}(?:([ '’${group}])\\d{3})(?:\\1\\d{3})*(?!\\d)|\\d+)?(?:${decimal}\\d+)?(?:e[-+]?\\d+)?`, 'i');
  patterns.set(sign, made);
  return made;
}

const canonical = (number: string, sign: string) => (sign === ',' ? number.replace(/[ '’.]/g, '').replace(',', '.') : number.replace(/[ '’,]/g, ''));

/** The whole text as a number in the notation of programs; undefined for everything else, and for codes such as 007. */
function exact(text: string, sign: string): string | undefined {
  // A power such as 10³ is not a number of four digits.
  if (/[⁰¹²³⁴-⁹⁺⁻₀-₉]/.test(text)) return undefined;
  const plain = ascii(text);
  const [found] = pattern(sign).exec(plain) ?? [''];
  if (!/\d/.test(found) || found !== plain || /^[-+]?0\d/.test(found)) return undefined;
  return canonical(found, sign);
}

/** The decimal sign of a column: that of the language, unless only the other one makes numbers of its texts. */
function columnSign(texts: readonly string[], lang: string): string {
  const usual = signOf(lang);
  const other = usual === ',' ? '.' : ',';
  const only = (sign: string, not: string) => texts.some((text) => exact(text, sign) !== undefined && exact(text, not) === undefined);
  return only(other, usual) && !only(usual, other) ? other : usual;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The number at the beginning of a text, for sorting: with a unit, a deviation, a power of ten or a comparison around it, also in Chinese numerals. */
export function amount(text: string, sign: string): number | undefined {
  const powers = text
    .replace(/(\s*[×xX·*]\s*|(?<!\d))10([⁺⁻]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, times: string, minus: string, digits: string) => {
      const power = `e${minus === '⁻' ? '-' : ''}${[...digits].map((digit) => RAISED.indexOf(digit)).join('')}`;
      return times ? power : `1${power}`;
    })
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/g, ' ');
  const plain = ascii(powers).replace(/^[\s<>≤≥≦≧≈~∼±=≲≳([$€£¥₹约第]+/, '');
  const [numeral] = /^[〇零一二三四五六七八九十百千万亿两]+(?=$|[^\p{L}]|[个年月日号组次岁人天级类层元条期位名篇项倍米种章节册卷])/u.exec(plain) ?? [];
  if (numeral) return chinese(numeral);
  const [found] = pattern(sign).exec(plain) ?? [''];
  if (!/\d/.test(found)) return undefined;
  const unit = /^\s*([万亿])/.exec(plain.slice(found.length))?.[1];
  return Number(canonical(found, sign)) * (unit === '万' ? 1e4 : unit === '亿' ? 1e8 : 1);
}

const MISSING = /^(?:[-–—―·.…/\s]*|n\/?a|n\.?d\.?|none|无)$/i;

const DATE = /^\d{4}(?:-\d\d(?!\d)|\/\d|年\d)/;

/** The places of rows in the order of one column: numbers by value, then texts by the rules of the language, empty places at the end. */
export function orderOf(texts: readonly string[], lang: string, descending: boolean): number[] {
  const present = texts.filter((text) => !MISSING.test(text));
  const sign = columnSign(present, lang);
  // Dates and codes are texts, which are compared with the numbers in them.
  const numbers = texts.map((text) => (MISSING.test(text) || DATE.test(text) ? undefined : amount(text, sign)));
  const numeric = numbers.filter((number) => number !== undefined).length > present.length / 2;
  let collator: Intl.Collator;
  try {
    collator = new Intl.Collator(lang || 'en', { numeric: true });
  } catch {
    collator = new Intl.Collator('en', { numeric: true });
  }
  const rank = (at: number) => (MISSING.test(texts[at] ?? '') ? 2 : numeric && numbers[at] === undefined ? 1 : 0);
  const compare = (a: number, b: number) => {
    if (rank(a) === 2) return 0;
    const first = numbers[a];
    const second = numbers[b];
    return numeric && first !== undefined && second !== undefined ? first - second : collator.compare(texts[a] ?? '', texts[b] ?? '');
  };
  return texts.map((_, at) => at).sort((a, b) => rank(a) - rank(b) || (descending ? compare(b, a) : compare(a, b)) || a - b);
}

export interface Sheet {
  /** Rows of values; the first `head` of them are headers. */
  rows: { text: string; number?: string; cell?: Cell }[][];
  head: number;
}

const marked = ({ text, marks }: Value) => (marks.length ? squeezed(`${text} [${marks.join(', ')}]`) : text);

/**
 * The rows of a table for a file. Marks at values are in a last column with the title `marksTitle`, which says at which column they are;
 * those at headers follow them in brackets.
 */
export function sheetOf(table: HTMLTableElement, marksTitle: string): Sheet {
  const { head, body, foot, width } = gridOf(table);
  const data = [...body, ...foot];
  const lang = table.closest<HTMLElement>('[lang]')?.lang ?? '';
  const columns = Array.from({ length: width }, (_, x) => x);
  const signs = columns.map((x) =>
    columnSign(
      data.flatMap((row) => row[x]?.text ?? []),
      lang,
    ),
  );
  const titles = columns.map((x) => head.at(-1)?.[x]?.text || String(x + 1));
  const withMarks = data.some((row) => row.some((cell) => cell?.marks.length));
  const headers = head.map((row, y) => [
    ...columns.map((x) => ({ text: row[x] ? marked(row[x]) : '', ...(row[x] && { cell: row[x] }) })),
    ...(withMarks ? [{ text: y === head.length - 1 ? marksTitle : '' }] : []),
  ]);
  const values = data.map((row) => {
    // A heading within the body spans all columns and is said once.
    const heading = row[0]?.source.colSpan === width && width > 1;
    const cells = columns.map((x) => {
      const cell = row[x];
      if (!cell || (heading && x > 0)) return { text: '', ...(cell && { cell }) };
      const number = exact(cell.text, signs[x] ?? '.');
      return { text: cell.text, cell, ...(number !== undefined && { number }) };
    });
    const marks = columns.flatMap((x) => {
      const cell = row[x];
      return cell?.marks.length && cell.source !== row[x - 1]?.source ? `${titles[x]}: ${cell.marks.join(', ')}` : [];
    });
    return [...cells, ...(withMarks ? [{ text: marks.join('; ') }] : [])];
  });
  return { rows: [...headers, ...values], head: head.length };
}

/** Spreadsheets run a text that begins like a formula: an apostrophe makes it a text again. A lone dash is not a formula. */
const harmless = (text: string) => (/^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[-+]$/.test(text) ? `'${text}` : text);
const field = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as CSV. Numbers are written as programs read them. */
export const toCsv = (table: HTMLTableElement, marksTitle: string): string =>
  sheetOf(table, marksTitle)
    .rows.map((row) => row.map(({ text, number }) => field(number ?? harmless(text))).join(','))
    .join('\r\n');

/** The texts of the notes below a table. */
export function noteTexts(table: HTMLTableElement): string[] {
  const notes = notesOf(table);
  const parts = [...(notes?.querySelectorAll('li, p') ?? [])].filter((part) => part.matches('li') || !part.closest('li'));
  return parts.map((part) => squeezed(part.textContent ?? '')).filter(Boolean);
}

/** Joins texts to a file name: letters and digits of all scripts, each text cut to its length. */
export function fileName(parts: readonly (readonly [text: string, length: number])[], ending: string): string {
  const slug = ([text, length]: readonly [string, number]) =>
    [...text.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-/, '')].slice(0, length).join('').replace(/-$/, '');
  return `${parts.map(slug).filter(Boolean).join('_')}.${ending}`;
}
