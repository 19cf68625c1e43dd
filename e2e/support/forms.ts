import type { Page } from 'playwright-core';
import { PASSWORD } from '../../server/testing/server.ts';

/** Opens the sign-up form and fills it in without submitting it. */
export async function fillSignUp(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/auth?tab=signup');
  await page.getByLabel('First name').fill('Nia');
  await page.getByLabel('Last name').fill('New');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByText('Email address is ok').waitFor();
}

/** Opens the sign-up form, signs up and waits for the form that asks for the code. */
export async function register(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fillSignUp(page, email, password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').waitFor();
}

/** Fills in the open sign-in form without submitting it. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Signs in through the open sign-in form. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fillSignIn(page, email, password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Fills in the sandbox's card form with a card that is taken, or with the given one. */
export async function fillCard(page: Page, number = '4242424242424242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1240');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Abe Ads');
}
