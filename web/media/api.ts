import { useQuery } from '@tanstack/react-query';
import { listMedia } from '#domain/media/contract.ts';
import { read } from '#web/http/query.ts';

export function useMediaLibrary(enabled: boolean) {
  return useQuery({ ...read(listMedia), enabled });
}
