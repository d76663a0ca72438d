import { DeliverySlots } from '../../src/webhooks/delivery/delivery-slots';
import type { ClaimedDelivery } from '../../src/webhooks/delivery/delivery.statements';

describe('attempts to deliver webhooks', () => {
  const claimed = (webhookId: string, isFailing: boolean) => ({ webhookId, isFailing }) as ClaimedDelivery;
  const bounds = (slots: DeliverySlots) => slots.claimParams([]).slice(0, 2);

  it('have room for 400 of sound receivers and 150 of failing ones at a time, whatever was claimed at once', () => {
    const slots = new DeliverySlots();
    expect(bounds(slots)).toEqual([400, 150]);
    const sound = Array.from({ length: 401 }, (_, n) => slots.begin(claimed(`sound ${n}`, false)));
    expect(bounds(slots)).toEqual([0, 150]);
    const failing = Array.from({ length: 151 }, (_, n) => slots.begin(claimed(`failing ${n}`, true)));
    expect(bounds(slots)).toEqual([0, 0]);
    for (const slot of [...sound, ...failing]) slots.end(slot, 1);
    expect(slots.claimParams([])).toEqual([400, 150, [], [], [], []]);
  });

  it('of a receiver that took longer than two seconds count with the failing ones, until it is fast again', () => {
    const slots = new DeliverySlots();
    slots.end(slots.begin(claimed('slow', false)), 2_001);
    const again = slots.begin(claimed('slow', false));
    expect(slots.claimParams([])).toEqual([400, 149, ['slow'], [1], [true], []]);
    slots.end(again, 2_000);
    expect(slots.claimParams([])).toEqual([400, 150, [], [], [], []]);
  });
});
