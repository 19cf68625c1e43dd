/** The measurements of the bench on one machine, and the assumptions of `npm run lab capacity` beyond them. */

/** `command` prints the value again. */
export type Fact = { value: number; what: string; command: string; machine: string; date: string };

const MACHINE = 'AMD EPYC, 2 cores, 24 GiB, Node 26.10.0, a guest on a shared host';
const BUSY_MACHINE = `${MACHINE}, at a load average of 15`;
const DELIVERY = 'npm run lab bench -- --only delivery';
const COUNTING = 'npm run lab bench -- --only counting';

export const FACTS = {
  decisionsPerCore: {
    value: 23_632,
    what: 'decisions a second of one server on one core, among twenty ads',
    command: DELIVERY,
    machine: MACHINE,
    date: '2026-11-23',
  },
  viewsPerCore: {
    value: 11_169,
    what: 'views a second that one server and its PostgreSQL answer and count on one core, 256 connections',
    command: DELIVERY,
    machine: MACHINE,
    date: '2026-11-23',
  },
  viewsPerDatabase: {
    value: 24_557,
    what: 'views a second, each with its rendered ad, that two connections count in one database on two cores',
    command: COUNTING,
    machine: MACHINE,
    date: '2026-11-27',
  },
  residentMiB: {
    value: 433,
    what: 'MiB of memory of one server after ten minutes of full load',
    command: `${DELIVERY} --soak 10`,
    machine: MACHINE,
    date: '2026-11-21',
  },
  heapPerAd: {
    value: 1_864,
    what: 'bytes of heap of a live ad and its ad zone in each server, from 10,000 to 100,000 ads in ad zones of their own',
    command: 'npm run lab bench -- --only snapshot --zones 1300000',
    machine: BUSY_MACHINE,
    date: '2026-11-27',
  },
  diskPerView: {
    value: 302,
    what: 'bytes of tables and indexes of events for each counted view and its rendered ad',
    command: COUNTING,
    machine: BUSY_MACHINE,
    date: '2026-11-27',
  },
  diskPerPackedEvent: {
    value: 28,
    what: 'bytes of tables and indexes of an event that is older than three days, of 10,000 ads with twenty million events a day',
    command: 'npm run lab bench -- --only growth --events 100000000 --ads 10000 --websites 1000000',
    machine: MACHINE,
    date: '2026-11-27',
  },
  walPerView: {
    value: 1_619,
    what: 'bytes of WAL for each counted view and its rendered ad, in batches of 1,000 events among 5,000 ads',
    command: COUNTING,
    machine: MACHINE,
    date: '2026-11-27',
  },
  streamPerView: {
    value: 305,
    what: 'bytes of messages to NATS for each counted view and its rendered ad',
    command: COUNTING,
    machine: BUSY_MACHINE,
    date: '2026-11-27',
  },
} as const satisfies Record<string, Fact>;

/** The assumptions that no bench can measure. */
export const ASSUMED = {
  /** Half of all shown ads come into view long enough. */
  decisionsPerView: 2,
  /** A campaign buys this many views, and is delivered in `daysPerAd`. */
  viewsPerAd: 1_000_000,
  daysPerAd: 30,
  /** Servers run at this part of their full load, so that one may be lost, and an hour may be twice as busy. */
  load: 0.5,
  /** The default of EVENTS_KEPT_DAYS. */
  keptDays: 35,
  /** Events are packed after three days, and there are those of today. */
  daysAsRows: 4,
  /** A view, its rendered ad, and a click of every fiftieth view. */
  eventsPerView: 2.02,
  /** The stream holds the events of an outage of the database. */
  outageHours: 1,
  /** The earnings of a live ad are posted each hour, as two debits and two credits. */
  postingsPerAdAndDay: 96,
} as const;
