import { KeyPower } from '../../src/chain/pool/doctor/key-power';
import { BROAD, CARING_AND_UNFREEZING } from '../support/restricted-key';
import { ANN, CareWorld } from './care-world';

describe('where POWERFUL_KEYS=refuse', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open({ env: { POWERFUL_KEYS: 'refuse' } });
    await care.care({ votes: [], claims: false });
  });
  afterAll(() => care.world.close());

  const freeze = () => care.admin.freeze(ANN, 'pool', 5_000_000n, 'energy');

  it('a care key that may do more signs nothing, also when its permission was widened after it had signed', async () => {
    expect(await freeze()).toMatchObject({ state: 'sent' });
    await care.settle();
    await care.allow(BROAD);
    expect(await freeze()).toMatchObject({
      state: 'failed',
      tx_id: null,
      error: expect.stringContaining('its stake has no care (POWERFUL_KEYS=refuse)') as string,
    });
    await care.allow(CARING_AND_UNFREEZING);
    expect(await freeze()).toMatchObject({ state: 'sent' });
  });

  it('a start is refused because of a care key, too', async () => {
    await care.allow(BROAD);
    const start = care.world.app.app.get(KeyPower).refuseIfAsked();
    await expect(start).rejects.toThrow(/care of wallet pool: permission 3 also allows operation/);
  });
});
