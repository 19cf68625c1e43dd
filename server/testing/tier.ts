/** Whether `npm run test:long` runs, which plays all cases of the tests that have many. `npm test` plays a part of them. */
export const IS_LONG = process.env['TEST_TIER'] === 'long';
