import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaErrors, vastSchemas } from '#server/testing/vast/schemas.ts';
import { EMPTY_VAST, type Video, fillVast, vastTemplate } from './vast-document.ts';

const VIDEO: Video = {
  adPublicId: 'a532d16d-4d7f-4440-bd29-2ec05553fc80',
  publicId: 'a532d16d-4d7f-4440-bd29-2ec05553fc80',
  title: 'Fresh coffee',
  description: 'Roasted on Monday.',
  advertiser: 'Kestrel & Sons',
  src: 'https://ads.example/m/0a.mp4',
  why: 'https://ads.example/api/serve/why/a532d16d-4d7f-4440-bd29-2ec05553fc80',
  rendition: '0a.mp4',
  width: 320,
  height: 180,
  durationMs: 3033,
  byteSize: 8192,
};
const ADDRESSES = {
  view: 'https://ads.example/api/serve/view/T',
  click: 'https://ads.example/api/serve/click/T',
  error: 'https://ads.example/api/serve/vast-error/T',
};
const documentOf = (video: Video) => fillVast(vastTemplate(video, 'https://ads.example'), ADDRESSES);

describe.each(await vastSchemas())('VAST documents (schema: $name)', (schema) => {
  it('are valid VAST 4.2, with an ad and without', async () => {
    expect(await schemaErrors(schema, documentOf(VIDEO))).toEqual([]);
    expect(await schemaErrors(schema, documentOf({ ...VIDEO, advertiser: null }))).toEqual([]);
    expect(await schemaErrors(schema, EMPTY_VAST)).toEqual([]);
  });

  // This shows that the schema finds errors at all.
  it.each([
    ['no namespace', /xmlns="[^"]+"/, ''],
    ['no title', /<AdTitle>.*<\/AdTitle>/, ''],
    ['no AdServingId', /<AdServingId>.*<\/AdServingId>/, ''],
    ['no UniversalAdId', /<UniversalAdId.*<\/UniversalAdId>/, ''],
    ['an impossible duration', /<Duration>[^<]*/, '<Duration>3.033'],
    ['a width that is not a number', /width="320"/, 'width="wide"'],
    ['the wrong order', /(<Error>.*<\/Error>)\n(<Impression>.*<\/Impression>)/, '$2\n$1'],
  ])('are invalid with %s', async (_what, part, instead) => {
    const broken = documentOf(VIDEO).replace(part, instead);
    expect(broken).not.toBe(documentOf(VIDEO));
    expect(await schemaErrors(schema, broken)).not.toEqual([]);
  });

  it('stay valid with any text in the title, description and advertiser’s name', async () => {
    const nasty = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
    const marked = fc.constantFrom(
      ']]></AdTitle><Ad/>',
      '<!ENTITY x SYSTEM "file:///etc/passwd">',
      '&x; \u0000\u000b\ufffe',
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(marked, nasty), async (text) => {
        const video = { ...VIDEO, title: `T${text}`, description: `D${text}`, advertiser: `A${text}` };
        expect(await schemaErrors(schema, documentOf(video))).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});

it('writes the duration in milliseconds and the bitrate in kbit/s into a VAST document', () => {
  const documentWith = (video: Partial<Video>) => documentOf({ ...VIDEO, ...video });
  expect(documentWith({ durationMs: 30_040 })).toContain('<Duration>00:00:30.040</Duration>');
  expect(documentWith({ durationMs: 2000, byteSize: 250_000 })).toContain('bitrate="1000"');
  expect(documentWith({ durationMs: 30_000, byteSize: 100 })).toContain('bitrate="1"');
});
