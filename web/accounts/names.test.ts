import { expect, it } from 'vitest';
import { fullName, initials } from './names.ts';

// Proves NAV-16
it('initials are the first letters of the first and the last name', () => {
  expect(initials({ firstName: 'Ann', lastName: 'Bell', email: 'x@y.test' })).toBe('AB');
});

// Proves NAV-16
it('initials keep a letter or emoji that takes several code units', () => {
  expect(initials({ firstName: '👩‍🚀 Ada', lastName: '𝔅ell', email: 'x@y.test' })).toBe('👩‍🚀𝔅');
});

// Proves NAV-16
it('initials are the first two letters of the e-mail for a user without names', () => {
  expect(initials({ firstName: null, lastName: null, email: 'zoe@x.test' })).toBe('ZO');
});

// Proves NAV-16
it("initials are 'U' for a user without names and e-mail", () => {
  expect(initials({})).toBe('U');
  expect(initials({ firstName: '', lastName: '', email: '' })).toBe('U');
});

// Proves NAV-12
it('the full name is the names that the user has, or else the e-mail', () => {
  expect(fullName({ firstName: 'Ann', lastName: 'Bell', email: 'x@y.test' })).toBe('Ann Bell');
  expect(fullName({ firstName: 'Ann', lastName: null, email: 'x@y.test' })).toBe('Ann');
  expect(fullName({ firstName: null, lastName: null, email: 'x@y.test' })).toBe('x@y.test');
});
