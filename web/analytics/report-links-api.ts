import { useMutation } from '@tanstack/react-query';
import { calls } from '#domain/report-links/report-link-calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { keyOf } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import type { ReportSubject } from './report-subject.ts';

const linksOf = ({ kind, ref }: ReportSubject) =>
  kind === 'ad'
    ? ([calls.listAdReportLinks, { params: { ref } }] as const)
    : ([calls.listPlanReportLinks, { params: { ref } }] as const);

/** The links to reports of one of the advertiser's own ads or plans, newest first. */
export function useReportLinks(subject: ReportSubject) {
  const [call, input] = linksOf(subject);
  return usePagedList(call, {}, input);
}

const refreshLinks = (subject: ReportSubject) => {
  const [listed, input] = linksOf(subject);
  return queryClient.invalidateQueries({ queryKey: keyOf(listed, input) });
};

export function useMakeReportLink(subject: ReportSubject) {
  const { kind, ref } = subject;
  return useMutation({
    mutationFn: (body: { name: string; expiresAt: string }) =>
      call(kind === 'ad' ? calls.createAdReportLink : calls.createPlanReportLink, { params: { ref }, body }),
    onSuccess: () => refreshLinks(subject),
  });
}

export function useRevokeReportLink(subject: ReportSubject) {
  return useMutation({
    mutationFn: (id: number) => call(calls.revokeReportLink, { params: { id: String(id) } }),
    onSuccess: () => {
      toast({ title: 'The link doesn’t work any more' });
      return refreshLinks(subject);
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to revoke the link'),
  });
}
