/** zone.js as Angular loads it. */
import "zone.js";
import { enterZone } from "./zone-setup.js";

enterZone(true);
