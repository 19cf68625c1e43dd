import { expect, it } from 'vitest';
import { fullName, initials } from './names.ts';

// Proves NAV-16
it('initials are the first letters of first and last name', () => {
  expect(initials({ firstName: 'Ann', lastName: 'Bell', email: 'x@y.test' })).toBe('AB');
});

// Proves NAV-16
it('a first letter may take several code units', () => {
  expect(initials({ firstName: '👩‍🚀 Ada', lastName: '𝔅ell', email: 'x@y.test' })).toBe('👩‍🚀𝔅');
});

// Proves NAV-17
it('without names they are the first two letters of the e-mail', () => {
  expect(initials({ firstName: null, lastName: null, email: 'zoe@x.test' })).toBe('ZO');
});

// Proves NAV-18
it("without names and e-mail it is 'U'", () => {
  expect(initials({})).toBe('U');
  expect(initials({ firstName: '', lastName: '', email: '' })).toBe('U');
});

// Proves NAV-12
it('the name is what there is of it, else the e-mail', () => {
  expect(fullName({ firstName: 'Ann', lastName: 'Bell', email: 'x@y.test' })).toBe('Ann Bell');
  expect(fullName({ firstName: 'Ann', lastName: null, email: 'x@y.test' })).toBe('Ann');
  expect(fullName({ firstName: null, lastName: null, email: 'x@y.test' })).toBe('x@y.test');
});
