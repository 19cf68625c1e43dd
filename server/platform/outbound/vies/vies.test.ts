/** The product's expectations of a register of tax numbers, of the client of the EU's service and of the stand-in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startViesServer, type ViesServer } from '#server/testing/money/vies-server.ts';
import { createNames } from '../names.ts';
import { createViesService } from './service.ts';
import { createViesStandIn, type Vies, ViesAway } from './vies.ts';

const REQUESTER = { country: 'DE', number: '111111111' };
const taxId = (number: string) => ({ country: 'GR', number });

let service: ViesServer;
let client: Vies;
beforeAll(async () => {
  service = await startViesServer();
  service.unknown.add('200000000');
  client = createViesService({
    url: service.env.VIES_URL,
    names: createNames(),
    beforeCall: async () => {},
  });
});
afterAll(async () => await service.close());

/** `outage` makes the register of the number 300000000 be away. */
function describeRegister(name: string, register: () => Vies, outage: (isAway: boolean) => void): void {
  describe(`the register: ${name}`, () => {
    it('knows a registered number, and gives an identifier to a requester with a number', async () => {
      expect(await register().ask(taxId('123456789'), null)).toEqual({ isRegistered: true, requestId: null });
      const { isRegistered, requestId } = await register().ask(taxId('123456789'), REQUESTER);
      expect([isRegistered, requestId]).toEqual([true, expect.any(String)]);
    });

    it('says that a number is not registered', async () => {
      expect(await register().ask(taxId('200000000'), REQUESTER)).toMatchObject({ isRegistered: false });
    });

    it('says that it is away, and neither registered nor not', async () => {
      outage(true);
      await expect(register().ask(taxId('300000000'), REQUESTER)).rejects.toThrow(ViesAway);
      outage(false);
    });
  });
}

describeRegister(
  'the client of VIES',
  () => client,
  (isAway) => {
    service.outage = isAway ? 'MS_UNAVAILABLE' : null;
  },
);
describeRegister('the stand-in for VIES', createViesStandIn, () => {});

describe('the client of VIES', () => {
  it('asks by the prefix of the country, with the number of the marketplace', async () => {
    service.asked.length = 0;
    await client.ask(taxId('123456789'), { country: 'GR', number: '987654321' });
    expect(service.asked).toEqual([
      '/ms/EL/vat/123456789?requesterMemberStateCode=EL&requesterNumber=987654321',
    ]);
  });

  it('waits no longer than its limit for a silent service', async () => {
    service.isSilent = true;
    await expect(client.ask(taxId('123456789'), null)).rejects.toThrow(ViesAway);
    service.isSilent = false;
  });

  it.each(['GLOBAL_MAX_CONCURRENT_REQ', 'TIMEOUT', 'INVALID_REQUESTER_INFO', ''])(
    'takes the error “%s” for an outage',
    async (error) => {
      service.outage = error;
      await expect(client.ask(taxId('123456789'), null)).rejects.toThrow(ViesAway);
      service.outage = null;
    },
  );

  it('takes an unreadable answer and a closed port for an outage', async () => {
    const other = (url: string) =>
      createViesService({ url, names: createNames(), beforeCall: async () => {} });
    const notThere = other(`${service.env.VIES_URL}/elsewhere`);
    await expect(notThere.ask(taxId('123456789'), null)).rejects.toThrow(ViesAway);
    await expect(other('http://127.0.0.1:9').ask(taxId('123456789'), null)).rejects.toThrow(ViesAway);
  });
});
