/** What a row of the acts' table needs and says, and the things that many rows are about. */
import type { Act, Subject } from '#domain/operator/acts.ts';
import type { Right } from '#domain/operator/rights.ts';
import { FOLDERS } from '#server/operator/acts/act-targets.ts';
import type { Client } from '../client.ts';
import type { DnsServer } from '../mail/dns.ts';
import type { TestServer } from '../server.ts';
import { makeLiveAd } from '../story.ts';

export type World = {
  server: TestServer;
  /** The operator who does the act. */
  actor: Client;
  /** Another operator, for money. The actor confirms their requests. */
  colleague: Client;
  dns: DnsServer;
  /** A number that no other thing of this server has in its name. */
  next: () => number;
};

/** One thing that can be done now. */
export type Occasion = {
  /** The address of the console's page that offers the act. */
  page: string;
  /** The parts of the form's path. */
  ids?: Record<string, string | number>;
  /** What the operator types or chooses, by the names of the fields. */
  fields?: Record<string, string>;
  /** Names the row of a list in which several have the same button. */
  about?: string;
  /** Hidden values, which tell the act from others with the same path. */
  hidden?: Record<string, string>;
};

export type Row = {
  /** The lines that the act writes to the trail. */
  acts: readonly Act[];
  /** The right that it needs, if it is not that of most acts of its set. */
  right?: Right;
  /** Makes what the act is about. */
  on: (world: World) => Promise<Occasion>;
  /** The label of a field on the page itself, and its name among the fields. */
  pageField?: { label: string; name: string };
  /** What the trail says of an act that takes no reason. */
  reason?: string;
  /** What the browser shows after an act that loads another page. */
  shows?: string;
  /** Lets the actor go on. */
  after?: (actor: Client) => Promise<unknown>;
  /** Of an act that a page has a form of its own for: what the call takes, and the browser test that does it. */
  ownForm?: { body: object; test: string };
};

/** By the path of the form in the register. */
export type Rows = Readonly<Record<string, Row>>;

/** An act on a thing, which its case file offers. */
export const fileOf = (subject: Subject, id: number, fields: Occasion['fields'] = {}): Occasion => ({
  page: `/operator/${FOLDERS[subject]}/${id}`,
  ids: { id },
  fields,
});

/** A new person, whose name nobody else has. */
export async function person({ server, next }: World): Promise<Client> {
  return await server.signIn('both', { firstName: 'Pat', lastName: `Porter ${next()}` });
}

/** A running ad for views, and its website and zone, with names that no other has. */
export async function running(world: World, price = '40.00') {
  const [seller, buyer, n] = [await person(world), await person(world), world.next()];
  const story = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price },
    ad: { title: `Ad ${n}` },
    website: { name: `Site ${n}`, url: `https://site-${n}.example` },
    zone: { name: `Zone ${n}` },
  });
  return { ...story, seller, buyer };
}

/** The number of a new thing of this kind. */
export async function numberOfNew(world: World, subject: Subject): Promise<number> {
  if (subject === 'person') return (await person(world)).user.id;
  return (await running(world))[subject].id;
}
