/** A LIKE pattern for texts that contain this text as typed. LIKE's special characters in it are escaped. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
