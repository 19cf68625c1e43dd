/**
 * Everything that reads the bytes of strangers, or prints their texts. These functions run only in a decoder process
 * (decoders.ts). Each is loaded with the first file that needs it.
 */
export const JOBS = {
  video: async () => (await import('./video.ts')).checkVideo,
  image: async () => (await import('./image.ts')).checkImage,
  square: async () => (await import('./image.ts')).squareImage,
  svg: async () => (await import('./svg.ts')).cleanSvg,
  rendition: async () => (await import('./image.ts')).renderPng,
  page: async () => (await import('./page-summary.ts')).summaryOf,
  'meta-tag': async () => (await import('./proofs.ts')).findMetaTag,
  'embed-code': async () => (await import('./proofs.ts')).findEmbedCode,
  'ads-txt': async () => (await import('./proofs.ts')).findAdsTxtLine,
  'new-passkey': async () => (await import('./passkeys.ts')).checkNewPasskey,
  passkey: async () => (await import('./passkeys.ts')).checkPasskey,
  document: async () => (await import('../print/jobs.ts')).printDocument,
  letters: async () => (await import('../print/jobs.ts')).checkLetters,
} satisfies Jobs;

/** The result is an object that JSON can hold, and may have `bytes` beside it. */
type Run = (bytes: Buffer, options: never) => object | Promise<object>;

export type Jobs = Record<string, () => Promise<Run>>;
