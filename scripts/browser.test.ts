import { expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';

it('the browser of the tests renders text and plays H.264 with AAC, which advertisers upload', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>Openslot</h1>');
    const heading = await page.locator('h1').boundingBox();
    expect(heading?.height).toBeGreaterThan(10);
    const answer = await page.evaluate(
      'document.createElement("video").canPlayType(\'video/mp4; codecs="avc1.42E01E, mp4a.40.2"\')',
    );
    expect(answer).toBe('probably');
  } finally {
    await browser.close();
  }
});
