/** Downloads a file whose content the page has made. */
function download(filename: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}

export function downloadJson(filename: string, data: unknown): void {
  download(filename, 'application/json', JSON.stringify(data, null, 2));
}

export function downloadCsv(filename: string, csv: string): void {
  download(filename, 'text/csv;charset=utf-8', csv);
}
