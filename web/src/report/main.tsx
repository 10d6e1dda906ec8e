import { openReport } from "../api/source";
import { start } from "../start";
import { answererOf } from "./answers";
import { factsOf, readData } from "./data";
import { ROUTES } from "./routes";

const data = readData(document);
openReport(factsOf(data), answererOf(data));
start(ROUTES);
