/** Shows one pane at a time, with a bar at the bottom. Must match `small.css`. */
export const PHONE = '(max-width: 760px)';
/** Wide enough for more than one column, too narrow for the list of sessions beside an open session. */
export const MEDIUM = '(min-width: 760.02px) and (max-width: 1100px)';
