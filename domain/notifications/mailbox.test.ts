import { expect, it } from 'vitest';
import { mailboxOf } from './mailbox.ts';

// Proves DOOR-09
it.each([
  ['box@example.test', 'box@example.test'],
  ['b.o.x+1@example.test', 'box@example.test'],
  ['BOX+a+b@Example.test', 'box@example.test'],
  ['+tag@example.test', '+tag@example.test'],
  ['box@mail.example.test', 'box@mail.example.test'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
