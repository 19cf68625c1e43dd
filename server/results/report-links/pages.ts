import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { reportFile } from './report-file.ts';
import { readReport } from './report.ts';
import { reportPage } from './report-page.ts';

/** A key as `makeLink` writes it. Everything else is refused before the database is asked. */
const KEY = /^[\w-]{43}$/;
const FILE_END = '.csv';

const REPORT: CallDescription = {
  summary:
    'The read-only report behind a link of an advertiser: figures of an ad or a plan; with `.csv` at its end, as a file',
  access: 'anyone',
  answers: { 200: 'A page, or the file', 404: 'No link has this key, or it was revoked or has expired' },
};

/**
 * Registers the reports that advertisers share. They register before the sessions, so that none of them can read or set a
 * cookie, and they show everybody the same. [RES-41]
 */
export function registerReports(app: FastifyInstance, ctx: Context): void {
  app.get('/reports/:key', { config: { page: true, call: REPORT } }, async (request, reply) => {
    const name = (request.params as { key: string }).key;
    const isFile = name.endsWith(FILE_END);
    const key = isFile ? name.slice(0, -FILE_END.length) : name;
    if (!KEY.test(key))
      throw notFound('There is no report at this address. Check that you have the whole link.');
    const report = await readReport(ctx, key, isFile ? 'file' : 'page');
    void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer');
    if (!isFile) return await sendPage(reply, reportPage(ctx.config, report, `/reports/${key}${FILE_END}`));
    return await reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="report.csv"')
      .send(reportFile(report));
  });
}
