import { ROUTES } from "./routes";
import { start } from "./start";

start(ROUTES);
