import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listMedia, mediaItem } from '#domain/media/contract.ts';
import { answer } from '#web/testing/answers.ts';
import { see, seeToast } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { render } from '#web/testing/screen.tsx';
import { ImageField } from './image-field.tsx';

const library = () => page.getByRole('dialog', { name: 'Media Library' });
const images = () => library().getByRole('tabpanel').getByRole('button');
const image = (name: string) => library().getByRole('button', { name: new RegExp(`^${name}`) });
const use = () => library().getByRole('button', { name: 'Use This Image' });
const pathOf = (number: number) => `/ad-images/${String(number).repeat(22)}`;

/** Opens the library with eight images, the newest first. Returns the chosen images. */
async function open(): Promise<string[]> {
  answer(
    listMedia,
    [8, 7, 6, 5, 4, 3, 2, 1].map((number) =>
      sample(mediaItem, {
        id: number,
        imagePath: pathOf(number),
        path: pathOf(number),
        filename: `picture-${number}.png`,
      }),
    ),
  );
  const chosen: string[] = [];
  render(<ImageField label="Image" value="" onChange={(path) => chosen.push(path)} />, {
    as: person('buyer'),
  });
  await reopen();
  return chosen;
}
const reopen = async () => {
  await page.getByRole('button', { name: 'Choose from Media Library' }).click();
  await see(images().first());
};
const close = async (button: string) => {
  await library().getByRole('button', { name: button }).click();
  await expect.element(library()).not.toBeInTheDocument();
};

describe('the media library', () => {
  // Proves MED-01
  it('lists the six newest images under Recent and all images under All Images', async () => {
    await open();
    const names = () =>
      images()
        .elements()
        .map((each) => (each as HTMLElement).innerText.split('\n')[0]);
    expect(names()).toEqual([8, 7, 6, 5, 4, 3].map((number) => `picture-${number}.png`));
    await library().getByRole('tab', { name: 'All Images' }).click();
    await expect.poll(() => images().elements().length).toBe(8);
    await close('Cancel');
  });

  // Proves MED-03, MED-04, ERR-53
  it('gives the selected image to the ad on Use This Image only, not on Clear or Cancel', async () => {
    const chosen = await open();
    const pressed = () => library().element().querySelectorAll('[aria-pressed=true]').length;
    await expect.element(use()).toHaveAttribute('aria-disabled', 'true');
    await image('picture-7.png').click();
    await expect.element(image('picture-7.png')).toHaveAttribute('aria-pressed', 'true');
    await library().getByRole('button', { name: 'Clear' }).click();
    await expect.poll(pressed).toBe(0);
    await expect.element(use()).toHaveAttribute('aria-disabled', 'true');
    await image('picture-7.png').click();
    await close('Cancel');
    expect(chosen).toEqual([]);

    await reopen();
    expect(pressed()).toBe(0);
    await library().getByRole('tab', { name: 'Upload New' }).click();
    await expect.element(library().getByLabelText('Upload an image', { exact: false })).toBeInTheDocument();
    await library().getByRole('tab', { name: 'All Images' }).click();
    await image('picture-7.png').click();
    await close('Use This Image');
    await seeToast('Image selected');
    expect(chosen).toEqual([pathOf(7)]);

    await reopen();
    await image('picture-8.png').click();
    await close('Cancel');
    expect(chosen).toEqual([pathOf(7)]);
  });
});
