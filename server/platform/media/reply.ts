import type { MediaItem, UploadedFile } from '#domain/media/contract.ts';
import { imagePathOf } from '#domain/media/limits.ts';
import type { MediaRow, StoredColumns } from './store.ts';

export function uploadReply(name: string, file: StoredColumns): UploadedFile {
  return {
    path: imagePathOf(name),
    contentType: file.contentType,
    fileSize: file.byteSize,
    width: file.width,
    height: file.height,
    durationMs: file.durationMs,
  };
}

export function mediaReply(row: MediaRow, usageCount: number): MediaItem {
  return {
    id: row.id,
    imagePath: row.imagePath,
    path: row.imagePath,
    filename: row.filename,
    fileSize: row.fileSize,
    uploadedAt: row.uploadedAt.toISOString(),
    usageCount,
  };
}
