/* One lazy part for all that needs the data of tables: modules that several lazy parts share would become part of the first view. */
export { fileName, orderOf, textsOf, toCsv } from './tableData.ts';
export { toWorkbook, TYPE } from './workbook.ts';
