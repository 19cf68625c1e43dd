/** A market in which every screen shows texts of users. */
import { randomUUID } from 'node:crypto';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product, Website, AdZone } from '#domain/inventory/contract.ts';
import type { Client } from '../../server/testing/client.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '../../server/testing/story.ts';
import { upload } from '../../server/testing/uploads.ts';

/** The texts that users enter. The default texts are plain. */
export type Words = { name: string; title: string; text: string; reason: string };

const PLAIN: Words = {
  name: 'The Daily Slot',
  title: 'Fresh coffee, delivered',
  text: 'Beans roasted on Monday, at your door on Wednesday.',
  reason: 'Please name the roastery in the title.',
};

export type Market = {
  website: Website;
  zone: AdZone;
  products: { text: Product; image: Product; video: Product };
  /** The public id of the plan that the pending ad belongs to. */
  plan: string;
  ads: { pending: Ad; approved: Ad; rejected: Ad; rejectedImage: Ad; active: Ad };
};

/** Creates the websites, zones and prices of a seller, and ads of a buyer in every status except completed. */
export async function furnish(seller: Client, buyer: Client, words: Partial<Words> = {}): Promise<Market> {
  const { name, title, text, reason } = { ...PLAIN, ...words };
  const website = await makeWebsite(seller, { name, description: text, monthlyVisitors: 51_000 });
  await makeWebsite(seller, { name: `${name}, the other one`, url: 'https://other.example' });
  const zone = await makeZone(seller, website, { name });
  await makeZone(seller, website, { name: `${name} 2`, zoneType: 'banner', width: 728, height: 90 });
  const products = {
    text: await makeProduct(seller, zone),
    image: await makeProduct(seller, zone, {
      adType: 'image',
      pricingModel: 'per_impression',
      duration: null,
      impressions: 10_000,
    }),
    video: await makeProduct(seller, zone, {
      adType: 'video',
      pricingModel: 'per_click',
      duration: null,
      clicks: 100,
    }),
  };
  const [imageUrl, videoUrl] = [await upload(buyer), await upload(buyer, 'video/mp4')];
  await buyer.post('/api/media-library', { imagePath: imageUrl, filename: `${name}.png`, fileSize: 100 });

  const submit = (product: Product, media: Record<string, unknown> = {}) =>
    makeAd(buyer, product, { title, description: text, ...media });
  const refuse = async (ad: Ad) => {
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: reason });
    return ad;
  };
  const { publicId: plan, ads: planned } = (
    await buyer.post('/api/plans', {
      requestId: randomUUID(),
      name: title,
      creative: { adType: 'text', title, description: text, targetUrl: 'https://coffee.example/start' },
      placements: [{ adZoneId: zone.publicId, productId: products.text.id }],
    })
  ).body as { publicId: string; ads: [Ad] };
  const [pending] = planned;
  await submit(products.image, { imageUrl });
  await submit(products.video, { videoUrl });
  const rejected = await refuse(await submit(products.text));
  const rejectedImage = await refuse(await submit(products.image, { imageUrl }));
  const approved = await approve(seller, await submit(products.video, { videoUrl }));
  const active = await pay(buyer, await approve(seller, await submit(products.text)));
  await pay(buyer, await approve(seller, await submit(products.image, { imageUrl })));
  return { website, zone, products, plan, ads: { pending, approved, rejected, rejectedImage, active } };
}
