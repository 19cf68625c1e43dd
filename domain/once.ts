/** Returns a function that makes its value at the first call and keeps it. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
