import { useQuery } from '@tanstack/react-query';
import { listMedia } from '#domain/media/contract.ts';
import { readAll } from '#web/http/query.ts';

export function useMediaLibrary(enabled: boolean) {
  return useQuery({ ...readAll(listMedia), enabled });
}
