/** One thing at a time, with a bar at the bottom. `small.css` has the same widths. */
export const PHONE = '(max-width: 760px)';
/** Wide enough for more than one column, too narrow for the sessions beside what is open. */
export const MEDIUM = '(min-width: 760.02px) and (max-width: 1100px)';
