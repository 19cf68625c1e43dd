/** The key that we gave to an object of the provider, from its metadata. Null for one of another shape, which is not ours. */
export function ourKey(
  { metadata }: { metadata: Readonly<Record<string, string>> },
  name: string,
): string | null {
  const key = metadata[name] ?? '';
  // PostgreSQL would refuse any other text in a column of UUIDs.
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key) ? key : null;
}
