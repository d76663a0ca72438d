/** Others have their turn before long work goes on. By the global timer, which the simulator's virtual clock replaces. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
