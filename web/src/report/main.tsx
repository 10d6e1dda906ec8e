import { openReport } from "../api/source";
import { start } from "../start";
import { answererOf } from "./answers";
import { factsOf, readData } from "./data";
import { firstScreenOf, openFirstScreen } from "./first";
import { ROUTES } from "./routes";

const data = readData(document);
openReport(factsOf(data), answererOf(data));
openFirstScreen(firstScreenOf(data));
start(ROUTES);
