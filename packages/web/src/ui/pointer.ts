/** Whether the main pointer is a finger: then there is no Shift key to hold, and Enter is on an on-screen keyboard. */
export function isTouchScreen(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
