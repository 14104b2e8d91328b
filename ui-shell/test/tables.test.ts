import { beforeEach, describe, expect, it } from 'vitest';
import { headersOf } from '../src/reader/sorting.ts';
import { amount, fileName, orderOf, toCsv } from '../src/reader/tableData.ts';
import { columnName, toWorkbook, zip } from '../src/reader/workbook.ts';

beforeEach(() => {
  document.body.innerHTML = '';
});

function table(rows: string, { notes = '', lang = 'en' } = {}): HTMLTableElement {
  document.body.innerHTML = `<main lang="${lang}"><figure data-table="t"><div data-table-box><table>${rows}</table></div>${notes}</figure></main>`;
  return document.querySelector('table') as HTMLTableElement;
}
const csv = (rows: string, options?: { notes?: string; lang?: string }) => toCsv(table(rows, options), 'Marks').split('\r\n');

describe('CSV', () => {
  it('quotes what needs it and fills spans', () => {
    expect(csv('<thead><tr><th rowspan="2">a</th><th colspan="2">b, "c"</th></tr><tr><th>d</th><th> e\n f </th></tr></thead>')).toEqual([
      'a,"b, ""c""","b, ""c"""',
      'a,d,e f',
    ]);
    expect(csv('<tbody><tr><td rowspan="2">x</td><td>1</td></tr><tr><td>2</td></tr><tr><td colspan="2">Controls</td></tr></tbody>')).toEqual([
      'x,1',
      'x,2',
      'Controls,',
    ]);
  });

  it('keeps footnote marks apart from values', () => {
    const mark = '<a class="xref" data-ref-type="table-fn" href="#a"><sup>a</sup></a>';
    const notes = '<div data-table-notes><ul><li data-footnote><span data-mark>b)</span> Estimated.</li></ul></div>';
    const rows = `<thead><tr><th>Site</th><th>Cost${mark}</th></tr></thead><tbody>
      <tr><td>T1${mark}</td><td>1.5</td></tr><tr><td>T2</td><td>2.5<sup>b</sup></td></tr><tr><td>T3</td><td>0.01**</td></tr></tbody>`;
    expect(csv(rows, { notes })).toEqual(['Site,Cost [a],Marks', 'T1,1.5,Site: a', 'T2,2.5,Cost: b', 'T3,0.01,Cost: **']);
  });

  it('does not glue raised and lowered text to numbers', () => {
    expect(csv('<tr><td>10<sup>3</sup></td><td>CO<sub>2</sub></td><td>m<sup>−2</sup></td><td>x<sup>ab</sup></td><td>1<sup>st</sup></td></tr>')).toEqual([
      '10³,CO₂,m⁻²,x^ab,1st',
    ]);
  });

  it('writes numbers as programs read them', () => {
    expect(csv('<tr><td>11 208</td><td>−0.440</td><td>1,234.5</td><td>007</td><td>5 ± 1</td></tr>')).toEqual(['11208,-0.440,1234.5,007,5 ± 1']);
    expect(csv('<tr><td>1.234,5</td></tr><tr><td>0,44</td></tr>', { lang: 'de' })).toEqual(['1234.5', '0.44']);
    // A German article with decimal points: the column decides.
    expect(csv('<tr><td>1.300</td></tr><tr><td>0.440</td></tr>', { lang: 'de' })).toEqual(['1.300', '0.440']);
  });

  it('gives spreadsheets no formula', () => {
    expect(csv('<tr><td>=1+1</td><td>+cmd|x</td><td>-2+3</td><td>@SUM(A1)</td><td>＝1</td><td>-</td><td>-3</td></tr>')).toEqual([
      "'=1+1,'+cmd|x,'-2+3,'@SUM(A1),'＝1,-,-3",
    ]);
  });
});

describe('workbook', () => {
  const entries = (bytes: Uint8Array) => {
    // The archive stores files as they are, so that it can be read without inflating.
    const view = new DataView(bytes.buffer);
    const found = new Map<string, string>();
    for (let at = 0; view.getUint32(at, true) === 0x04034b50;) {
      const [size, name] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
      const text = (from: number, length: number) => new TextDecoder().decode(bytes.slice(from, from + length));
      found.set(text(at + 30, name), text(at + 30 + name, size));
      at += 30 + name + size;
    }
    return found;
  };

  it('is an archive with the check sums and places of its files', () => {
    const bytes = zip([['a.txt', 'The quick brown fox jumps over the lazy dog']]);
    const view = new DataView(bytes.buffer);
    expect(view.getUint32(14, true)).toBe(0x414fa339);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    const directory = view.getUint32(end + 16, true);
    expect(view.getUint32(directory, true)).toBe(0x02014b50);
    expect(view.getUint32(end + 12, true)).toBe(end - directory);
    expect(view.getUint32(directory + 42, true)).toBe(0);
  });

  it('has numbers, merged spans, caption, notes and a header that stays', () => {
    const made = toWorkbook(
      table('<thead><tr><th colspan="2">A & B</th></tr></thead><tbody><tr><td>1 200</td><td>0.440</td></tr><tr><td>=x</td><td>\u0001y</td></tr></tbody>', {
        notes: '<div data-table-notes><p>A note.</p></div>',
      }),
      'Table 1: [x]',
      { marksTitle: 'Marks', about: ['Table 1 Costs'], source: ['An article'] },
    );
    const files = entries(made);
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/sheet1.xml',
      'xl/styles.xml',
    ]);
    for (const [name, content] of files) {
      expect(new DOMParser().parseFromString(content, 'application/xml').querySelector('parsererror'), name).toBeNull();
    }
    expect(files.get('xl/workbook.xml')).toContain('name="Table 1 x"');
    const sheet = new DOMParser().parseFromString(files.get('xl/worksheets/sheet1.xml') ?? '', 'application/xml');
    const cell = (place: string) => sheet.querySelector(`c[r="${place}"]`);
    expect(cell('A1')?.textContent).toBe('Table 1 Costs');
    expect(cell('A2')?.textContent).toBe('A & B');
    expect(cell('B2')).toBeNull();
    expect([...sheet.querySelectorAll('mergeCell')].map((merge) => merge.getAttribute('ref'))).toEqual(['A2:B2']);
    expect([cell('A3')?.querySelector('v')?.textContent, cell('B3')?.querySelector('v')?.textContent]).toEqual(['1200', '0.440']);
    expect([cell('A4')?.getAttribute('t'), cell('A4')?.textContent, cell('B4')?.textContent]).toEqual(['inlineStr', '=x', 'y']);
    expect([cell('A6')?.textContent, cell('A7')?.textContent]).toEqual(['A note.', 'An article']);
    expect(sheet.querySelector('pane')?.getAttribute('topLeftCell')).toBe('A3');
    // Every format that a cell has is one of the styles.
    const styles = new DOMParser().parseFromString(files.get('xl/styles.xml') ?? '', 'application/xml').querySelectorAll('cellXfs > xf').length;
    for (const each of sheet.querySelectorAll('c')) expect(Number(each.getAttribute('s'))).toBeLessThan(styles);
  });

  it('names columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});

describe('sorting', () => {
  it.each([
    ['96 432', 96432],
    ['1,234.5 km', 1234.5],
    ['−5.2 ± 0.3', -5.2],
    ['<0.001', 0.001],
    ['≈ 3', 3],
    ['1.2 × 10⁻³', 0.0012],
    ['10⁶ Pa', 1e6],
    ['12 (3.4%)', 12],
    ['3–5', 3],
    ['１２', 12],
    ['٤٢', 42],
    ['二〇二四', 2024],
    ['十二', 12],
    ['第三组', 3],
    ['三万五千', 35000],
    ['3.5万', 35000],
    ['¥12', 12],
  ])('reads %s', (text, number) => {
    expect(amount(text, '.')).toBeCloseTo(number, 9);
  });

  it.each(['T07', 'control', '三角', '一般', ''])('reads no number in %s', (text) => {
    expect(amount(text, '.')).toBeUndefined();
  });

  const sorted = (texts: string[], lang = 'en', down = false) => orderOf(texts, lang, down).map((at) => texts[at]);

  it('puts numbers in order by value, others behind them and empty places last, in both directions', () => {
    const texts = ['10', '—', '9.5', 'trace', '−3', 'n/a', '1,000'];
    expect(sorted(texts)).toEqual(['−3', '9.5', '10', '1,000', 'trace', '—', 'n/a']);
    expect(sorted(texts, 'en', true)).toEqual(['1,000', '10', '9.5', '−3', 'trace', '—', 'n/a']);
  });

  it('puts texts in order by language, with the numbers in them, and dates by day', () => {
    expect(sorted(['T10', 'T9', 'é', 'f', 'e'])).toEqual(['e', 'é', 'f', 'T9', 'T10']);
    expect(sorted(['2024-10-01', '2024-09-30', '2023-12-31'])).toEqual(['2023-12-31', '2024-09-30', '2024-10-01']);
  });

  it('keeps the order of equal rows', () => {
    expect(orderOf(['1', '2', '1', '2'], 'en', false)).toEqual([0, 2, 1, 3]);
    expect(orderOf(['1', '2', '1', '2'], 'en', true)).toEqual([1, 3, 0, 2]);
  });

  it('is for tables whose rows span nothing', () => {
    const body = '<tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody>';
    const two = '<thead><tr><th>a</th><th>b</th></tr></thead>';
    const levels = '<thead><tr><th rowspan="2">a</th><th>b</th></tr><tr><th>c</th></tr></thead>';
    const names = (rows: string) => headersOf(table(rows))?.map((header) => header.textContent);
    expect(names(two + body)).toEqual(['a', 'b']);
    expect(names(levels + body)).toEqual(['a', 'c']);
    const not = [
      body,
      `${two}${body}${body}`,
      two + body.replace('<td>1', '<td rowspan="2">1'),
      two + body.replace('<td>2</td>', ''),
      `<thead><tr><th colspan="2">a</th></tr></thead>${body}`,
      `${two}<tbody><tr><td>1</td><td>2</td></tr></tbody>`,
    ];
    for (const rows of not) expect(names(rows), rows).toBeUndefined();
  });
});

it('names files in all scripts, without what file systems refuse', () => {
  expect(
    fileName(
      [
        ['潮汐/记忆: “河口”', 60],
        ['表 1', 40],
      ],
      'csv',
    ),
  ).toBe('潮汐-记忆-河口_表-1.csv');
  expect(
    fileName(
      [
        ['a'.repeat(99), 60],
        ['Table 2', 40],
      ],
      'xlsx',
    ),
  ).toBe(`${'a'.repeat(60)}_Table-2.xlsx`);
});
