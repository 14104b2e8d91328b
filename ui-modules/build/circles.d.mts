export type FolderImports = Map<string, Map<string, string>>;
export function folderImports(root: string, folders: string[], packages?: Record<string, string>): FolderImports;
export function circles(graph: FolderImports): string[][];
