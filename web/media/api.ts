import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { readAll } from '#web/http/query.ts';

export function useMediaLibrary(enabled: boolean) {
  return useQuery({ ...readAll(calls.listMedia), enabled });
}
