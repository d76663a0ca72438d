/** A claim on an order: its epoch is a fencing token, with which an older one writes nothing any more. */
export interface OrderClaim {
  readonly id: string;
  readonly epoch: number;
}
