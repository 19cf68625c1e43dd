import { expect, it } from 'vitest';
import { isReportDue, reportForm } from './report.ts';

const ID = 'A532D16D-4D7F-4440-BD29-2EC05553FC80';

it('a report needs the id of its form and a reason, and nothing else', () => {
  expect(reportForm.parse({ id: ID, reason: 'harmful' })).toEqual({
    id: ID.toLowerCase(),
    reason: 'harmful',
    details: '',
    email: null,
  });
  expect(
    reportForm.parse({ id: ID, reason: 'other', details: ' a\r\nb\0 ', email: ' x@y.test ' }),
  ).toMatchObject({
    details: 'a\nb',
    email: 'x@y.test',
  });
  const messages = (fields: object) =>
    reportForm.safeParse(fields).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(messages({})).toEqual([
    'id: This form is too old. Please open it again.',
    'reason: Please say what’s wrong with the ad',
  ]);
  expect(messages({ id: ID, reason: 'toString', details: 'x'.repeat(2001), email: 'nobody' })).toEqual([
    'reason: Please say what’s wrong with the ad',
    'details: Please use at most 2000 characters',
    'email: Please enter a valid email address',
  ]);
});

it('only a few reports of a wave are mailed', () => {
  const told = Array.from({ length: 1000 }, (_, at) => at + 1).filter(isReportDue);
  expect(told).toEqual([1, 3, 10, 30, 100, 300, 1000]);
});
